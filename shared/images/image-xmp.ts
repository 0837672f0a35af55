import type { DigitalSourceType } from '#shared/contract/export-presets.ts';

/** Where the IPTC lists the types. */
export const listOfIptc = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** The metadata of an image as XMP: how it was made, and the product's name as its title, if it is to be in the file. */
export function imageXmp(sourceType: DigitalSourceType, productName = ''): string {
  const title = productName
    ? `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(productName)}</rdf:li></rdf:Alt></dc:title>`
    : '';
  return (
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
    'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">' +
    `<Iptc4xmpExt:DigitalSourceType>${listOfIptc}${sourceType}</Iptc4xmpExt:DigitalSourceType>${title}` +
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>'
  );
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character);
}
