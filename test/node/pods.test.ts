import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RealNode } from '../../hack/real-node/real-node.ts';
import { mebibytes, seconds } from '../support/figures.ts';
import { Garden, isReady } from './garden.ts';
import { images } from './image-names.ts';
import { noteFigure, startNode } from './node-ground.ts';

const ending = new AbortController();
const [image] = images;
let node: RealNode;
let garden: Garden;

beforeAll(async () => {
  const from = performance.now();
  ({ node } = await startNode());
  noteFigure({ what: 'the node itself: start to ready', is: seconds(performance.now() - from) });
  garden = await Garden.furnish(node);
});

afterAll(async () => {
  ending.abort();
  await node?.stop();
});

describe('1.6 prober and weeder as pods of a real node', () => {
  test('1.6 both are ready and lead, have their logs read, and take little memory as the kubelet counts it', async () => {
    const from = performance.now();
    await Promise.all((['prober', 'weeder'] as const).map((role) => garden.deploy(role, image)));
    for (const role of ['prober', 'weeder'] as const) {
      await garden.until(`the ${role} is ready`, async () => (await garden.pods(role)).some(isReady));
      noteFigure({ what: `${role}: Deployment created to pod ready`, is: seconds(performance.now() - from) });
    }
    for (const role of ['prober', 'weeder'] as const) {
      const pod = await garden.pod(role);
      await garden.until(`the ${role} leads`, async () => (await garden.series(pod))['dwd_leader'] === 1);
      expect((await garden.logs(pod)).length).toBeGreaterThan(0);
      let counted: number | undefined;
      await garden.until('the kubelet has counted', async () => (counted = await garden.workingSet(pod)) !== undefined);
      noteFigure({ what: `${role}: memory, idle`, is: mebibytes(counted!), atMost: '90 MiB' });
      expect(counted).toBeLessThan(90 * 1_048_576);
    }
  });
});
