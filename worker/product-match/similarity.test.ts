import { expect, test } from 'vitest';
import { fitSimilarity } from './similarity.ts';

test('a picture that was moved, turned and enlarged is placed although a third of the points say something else', () => {
  const [turn, scale, right, down] = [Math.PI / 3, 1.5, 40, -20];
  const [a, b] = [scale * Math.cos(turn), scale * Math.sin(turn)];
  const from: number[] = [];
  const to: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    const [x, y] = [(index * 97) % 400, (index * 61) % 300];
    from.push(x, y);
    if (index % 3 === 0) to.push((index * 41) % 500, (index * 173) % 500);
    else to.push(a * x - b * y + right, b * x + a * y + down);
  }
  const { matrix, inliers } = fitSimilarity(from, to, 2);
  expect(inliers).toBe(20);
  for (const [index, value] of [a, -b, right, b, a, down, 0, 0, 1].entries())
    expect(matrix[index]).toBeCloseTo(value, 6);
});

test('points that lie close together say nothing about a place', () => {
  expect(fitSimilarity([0, 0, 5, 5, 9, 2], [10, 10, 15, 15, 19, 12], 2).inliers).toBe(0);
});
