import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shootDiagramPage, weederDiagramPage } from '../hack/machine-diagram.ts';

test.each([
  ['docs/shoot-machine.md', shootDiagramPage, 'leaseFailed --> scalingDown : [failureThresholdMet]'],
  ['docs/weeder-machine.md', weederDiagramPage, 'recovering --> settled : woken [isWindowOver]'],
])('%s is as fresh as the machine that it draws (npm run docs)', (page, draw, arrow) => {
  expect(readFileSync(page, 'utf8')).toBe(draw());
  expect(draw()).toContain(arrow);
});
