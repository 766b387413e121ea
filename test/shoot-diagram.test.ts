import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shootDiagramPage } from '../hack/shoot-diagram.ts';

test('the drawn chart is as fresh as the machine (npm run docs)', () => {
  expect(readFileSync('docs/shoot-machine.md', 'utf8')).toBe(shootDiagramPage());
  expect(shootDiagramPage()).toContain('leaseFailed --> scalingDown : [isEnoughCutOff]');
});
