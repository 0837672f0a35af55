import { expect, test } from 'vitest';
import { sceneLibrary, sceneTemplates } from '#contract';
import { demoProducts } from './demo.ts';
import { emptyScenePictures, emptyTemplatePictures } from './empty-scenes.ts';
import { guidePictures } from './guides.ts';
import { heroPairs } from './hero.ts';
import { landingPictures } from './landing.ts';
import { loginPictures } from './login.ts';
import { pictureGroup } from './picture-group.ts';
import { sampleProducts } from './products.ts';
import { scenePictures } from './scenes.ts';
import { templatePictures } from './templates.ts';

test('a picture has a srcset for each format, smallest first, and falls back to the largest WebP file', () => {
  const infos = { mug: { alt: 'A mug', width: 640, height: 480, scene: 'On oak.' } };
  const files = {
    './demo/mug-640.avif': '/a640',
    './demo/mug-1000.webp': '/w1000',
    './demo/mug-640.webp': '/w640',
    './demo/mug-320.avif': '/a320',
    './demo/mug-2-320.avif': '/other',
  };
  expect(pictureGroup(infos, files).mug).toEqual({
    name: 'mug',
    alt: 'A mug',
    scene: 'On oak.',
    width: 640,
    height: 480,
    avif: '/a320 320w, /a640 640w',
    webp: '/w640 640w, /w1000 1000w',
    src: '/w1000',
  });
  expect(() => pictureGroup(infos, {})).toThrow('npm run campaign -- samples');
});

test('every carousel slot, scene, template and demo image has a picture', () => {
  expect(landingPictures).toHaveLength(8);
  expect(loginPictures).toHaveLength(10);
  for (const { id, description } of sceneLibrary) {
    expect(scenePictures[id].name).toBe(id);
    expect(emptyScenePictures[id].scene).toBe(description);
  }
  for (const template of sceneTemplates) {
    expect(templatePictures[template].scene).toContain(`${template}: `);
    expect(emptyTemplatePictures[template].scene).toBe(templatePictures[template].scene);
    for (const { images, photo } of demoProducts) {
      expect(images[template].scene).toContain(`${template}: `);
      expect(photo.scene).toBeUndefined();
    }
  }
  expect(demoProducts).toHaveLength(3);
  expect(sampleProducts.map(({ id }) => id)).toEqual(demoProducts.map(({ id }) => id));
  const all = [...landingPictures, ...loginPictures, ...Object.values(guidePictures)];
  for (const { photo, image } of heroPairs) all.push(photo, image);
  expect(all.filter(({ avif, webp }) => avif === '' || webp === '')).toEqual([]);
});

test('both pictures of a hero pair are square, so that the slider can lay one over the other', () => {
  for (const { photo, image } of heroPairs) {
    expect(photo.width).toBe(photo.height);
    expect(image.width).toBe(image.height);
    expect(photo.scene).toBeUndefined();
    expect(image.scene).toBeDefined();
  }
});
