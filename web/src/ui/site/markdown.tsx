import clsx from 'clsx';
import type { ComponentProps } from 'react';
import type { MarkdownModule } from '#web/content/article.ts';
import { textLinkClass } from '../button.tsx';
import { ContentPicture, isPictureName } from './content-picture.tsx';
import { SiteLink } from './site-link.tsx';

interface MarkdownProps {
  content: MarkdownModule['default'];
  className?: string;
}

/** The text of a Markdown file, in the app's typography. */
export function Markdown({ content: Content, className }: MarkdownProps) {
  return (
    <div className={clsx('max-w-[68ch] text-[1.0625rem] leading-[1.7]', className)}>
      <Content components={components} />
    </div>
  );
}

/** What renders each element of Markdown. */
const components = {
  a: MarkdownLink,
  h2: (props: ComponentProps<'h2'>) => (
    <Heading {...props} as="h2" className="mt-12 mb-3 text-2xl font-bold" />
  ),
  h3: (props: ComponentProps<'h3'>) => (
    <Heading {...props} as="h3" className="mt-8 mb-2 text-lg font-semibold" />
  ),
  p: (props: ComponentProps<'p'>) => (
    // Pictures that are written one after the other stand side by side.
    <p
      {...props}
      className="my-4 first:mt-0 has-[>.figure+.figure]:my-6 has-[>.figure+.figure]:grid has-[>.figure+.figure]:grid-cols-2 has-[>.figure+.figure]:gap-4"
    />
  ),
  img: Figure,
  ul: (props: ComponentProps<'ul'>) => (
    <ul {...props} className="my-4 list-disc space-y-2 pl-6 marker:text-ink-soft" />
  ),
  ol: (props: ComponentProps<'ol'>) => (
    <ol {...props} className="my-4 list-decimal space-y-2 pl-6 marker:text-ink-soft" />
  ),
  blockquote: (props: ComponentProps<'blockquote'>) => (
    <blockquote {...props} className="my-6 rounded-field bg-accent-wash px-5 py-0.5 *:my-3!" />
  ),
  table: Table,
  th: (props: ComponentProps<'th'>) => (
    <th {...props} className="border-b border-line-strong px-3 py-2 text-left" />
  ),
  td: (props: ComponentProps<'td'>) => <td {...props} className="border-b border-line px-3 py-2 align-top" />,
  pre: CodeBlock,
  code: (props: ComponentProps<'code'>) => (
    <code
      {...props}
      translate="no"
      className="rounded bg-sunken px-1.5 py-0.5 font-mono text-[0.9em] in-[pre]:bg-transparent in-[pre]:p-0"
    />
  ),
  hr: () => <hr className="my-10 border-line" />,
};

/** A link: to another page of ours, to a place on this page or the API, or to another site. */
function MarkdownLink({ href = '', children }: ComponentProps<'a'>) {
  if (href.startsWith('/') && !href.startsWith('/api/') && !href.endsWith('.xml')) {
    return (
      <SiteLink to={href} className={textLinkClass}>
        {children}
      </SiteLink>
    );
  }
  return (
    <a href={href} rel={href.startsWith('http') ? 'noopener' : undefined} className={textLinkClass}>
      {children}
    </a>
  );
}

/** A picture by its name; the Markdown title is its caption. Of phrasing elements only, since Markdown puts it into a `p`. */
function Figure({ src = '', alt = '', title }: ComponentProps<'img'>) {
  if (typeof src !== 'string' || !isPictureName(src)) throw new Error(`There is no picture ${src}`);
  return (
    <span className="figure my-2 block">
      <ContentPicture
        name={src}
        alt={alt}
        sizes="(min-width: 48rem) 40rem, 100vw"
        className="block w-full rounded-field border border-line bg-sunken object-cover in-[td]:aspect-[4/3]"
      />
      {title && <span className="mt-1.5 block text-sm leading-snug text-ink-soft">{title}</span>}
    </span>
  );
}

/** A heading that can be linked to. */
function Heading({ as: Tag, id, className, children }: ComponentProps<'h2'> & { as: 'h2' | 'h3' }) {
  return (
    <Tag id={id} className={clsx('group scroll-mt-24', className)}>
      {children}{' '}
      <a
        href={`#${id}`}
        aria-label="Link to this section"
        className="text-accent no-underline opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        #
      </a>
    </Tag>
  );
}

/** A table that scrolls sideways on small screens. */
function Table(props: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it
    <div tabIndex={0} className="my-6 overflow-x-auto">
      <table
        {...props}
        className="w-full min-w-md border-collapse wrap-break-word text-[0.9375rem] leading-normal"
      />
    </div>
  );
}

function CodeBlock(props: ComponentProps<'pre'>) {
  return (
    <pre
      {...props}
      translate="no"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it
      tabIndex={0}
      className="my-6 overflow-x-auto rounded-field border border-line bg-sunken p-4 text-sm leading-relaxed [overflow-wrap:normal]"
    />
  );
}
