import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Growth, type GrowthPoint, growthSvg } from '../growth/growth-svg.ts';

test('docs/performance/growth.svg is as fresh as what was measured (npm run docs)', () => {
  const recorded = JSON.parse(readFileSync('docs/performance/growth.json', 'utf8')) as Growth;
  expect(readFileSync('docs/performance/growth.svg', 'utf8')).toBe(growthSvg(recorded));
});

const point = (shoots: number, nodes: number, cores: number): GrowthPoint => {
  return { shoots, nodes, cores, mebibytes: 100, millisLate: 1 };
};

test('the figure draws every point, on axes that hold the largest', () => {
  const drawn = growthSvg({
    intervalSeconds: 10,
    byShoots: [point(1, 5, 0.02), point(2_000, 5, 0.83)],
    byNodes: [point(20, 1, 0.02), point(20, 5_000, 0.05), point(20, 3_000, 0.04)],
  });
  expect(drawn.match(/<circle/g)).toHaveLength(2 * 2 + 2 * 3);
  expect(drawn).toContain('>2000</text>');
  expect(drawn).toContain('>100 %</text>');
  expect(drawn).toContain('nodes in each of 20 shoots');
  // Nothing lies above or right of the axes.
  const tops = [...drawn.matchAll(/cy="(-?[\d.]+)"/g)].map(([, top]) => Number(top));
  expect(Math.min(...tops)).toBeGreaterThanOrEqual(0);
});
