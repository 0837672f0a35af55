import type { ServerContext } from '#server/http/context.ts';
import type { Slots } from '#server/uploads/slots.ts';
import type { EventStreams } from './event-streams.ts';
import type { EndWaits } from './wait.ts';

/** What version 1 of the API needs: slots of uploads, of photos that are fetched and of downloads, waits for images, and event streams. */
export interface V1Parts {
  context: ServerContext;
  slots: Slots;
  photoSlots: Slots;
  downloads: Slots;
  waits: EndWaits;
  streams: EventStreams;
}
