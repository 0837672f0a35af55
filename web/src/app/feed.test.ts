import { expect, test } from 'vitest';
import { posts } from '#web/content/posts.ts';
import { createFeed } from './feed.ts';

test('the feed has every post, newest first, with absolute addresses', () => {
  const feed = createFeed('https://packshot.example');
  const valuesOf = (element: string) =>
    [...feed.matchAll(new RegExp(`<${element}>(?:<!\\[CDATA\\[)?(.*?)(?:\\]\\]>)?</${element}>`, 'g'))].map(
      ([, value]) => value,
    );
  // The first of each is the feed's own.
  expect(valuesOf('title').slice(1)).toEqual(posts.map(({ title }) => title));
  expect(valuesOf('link').slice(1)).toEqual(posts.map(({ slug }) => `https://packshot.example/blog/${slug}`));
  expect(valuesOf('description').slice(1)).toEqual(posts.map(({ description }) => description));
  expect(valuesOf('pubDate')).toEqual(posts.map(({ date }) => new Date(date).toUTCString()));
  expect(valuesOf('category')).toEqual(posts.flatMap(({ tags }) => tags));
  expect(feed).toContain('href="https://packshot.example/blog/rss.xml" rel="self"');
});
