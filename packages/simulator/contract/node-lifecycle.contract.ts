import { expect, test } from 'vitest';
import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** `--node-monitor-grace-period`; short, since it passes for real before a real one. */
export const contractGrace: Millis = 12_000;
/** `--node-monitor-period`: it looks so often, and sees a change at the next look. */
const looksEvery: Millis = 5_000;
/** For requests on a busy machine, and the rounding of a look. */
const slack: Millis = 3_000;

/** A shoot's API server and a kube-controller-manager with its node lifecycle controller. */
export type NodeLifecycleStage = Readonly<{
  now(): number;
  /** A node that is Ready, whose lease was renewed now. */
  join(node: string): Promise<void>;
  /** As its kubelet does, which posts its status only now and then. `ahead`: by how much its clock is. */
  renew(node: string, ahead?: Millis): Promise<void>;
  readiness(node: string): Promise<string | undefined>;
  pass(length: Millis): Promise<void>;
  /** The controller-manager ends and starts again; its API server stays. */
  restart(): Promise<void>;
  /** The API server serves nobody for so long. The controller-manager starts again whenever it ends. */
  serverAway(length: Millis): Promise<void>;
}>;

/** What the simulated kube-controller-manager has of the real one: when it marks a node, and that it counts anew after a start. */
export function nodeLifecycleContract(open: () => Promise<NodeLifecycleStage>): void {
  test('5.3 a node whose lease stays as it is is marked after the grace, at the next look, and one that renews is not', async () => {
    const stage = await open();
    await stage.join('lively');
    await stage.pass(looksEvery + 1_000);
    await stage.join('silent');
    const after = await markedAfter(stage, 'silent', ['lively']);
    expect(after).toBeGreaterThan(contractGrace - slack);
    expect(after).toBeLessThan(contractGrace + 2 * looksEvery + slack);
    expect(await stage.readiness('lively')).toBe('True');
  });

  test('6.3 after a start it counts from zero: what was silent before has its whole grace again', async () => {
    const stage = await open();
    await stage.join('again');
    await stage.pass(contractGrace - looksEvery);
    await stage.restart();
    const after = await markedAfter(stage, 'again', []);
    expect(after).toBeGreaterThan(contractGrace - slack);
    expect(after).toBeLessThan(contractGrace + 2 * looksEvery + slack);
  });

  test('5.1 9.2 where its API server was away for longer than it may fail to renew its own Lease, it counts from the return', async () => {
    const stage = await open();
    await stage.join('unserved');
    await stage.pass(looksEvery + 1_000);
    await stage.serverAway(contractGrace + 8_000);
    expect(await stage.readiness('unserved')).toBe('True');
    const after = await markedAfter(stage, 'unserved', []);
    expect(after).toBeGreaterThan(contractGrace - slack);
  });

  test('5.1 a lease that goes back in time counts as one that nobody renews; a start forgets what it was', async () => {
    const stage = await open();
    const hour = 3_600_000;
    await stage.join('put-right');
    await stage.join('wrong');
    await stage.renew('wrong', hour);
    await stage.renew('put-right', hour);
    await stage.pass(looksEvery + 1_000);
    const after = await markedAfter(stage, 'put-right', ['put-right'], async () => await stage.renew('wrong', hour));
    expect(after).toBeGreaterThan(contractGrace - looksEvery - slack);
    expect(after).toBeLessThan(contractGrace + 2 * looksEvery + slack);
    expect(await stage.readiness('wrong')).toBe('True');
    await stage.renew('wrong');
    await stage.restart();
    expect(await markedAfter(stage, 'wrong', ['wrong'])).toBeUndefined();
  });
}

/** How long after now the node is marked, while the others renew; undefined where it is not within three graces. */
async function markedAfter(
  stage: NodeLifecycleStage,
  node: string,
  lively: readonly string[],
  beside = (): Promise<void> => Promise.resolve(),
): Promise<Millis | undefined> {
  const begin = stage.now();
  for (let step = 0; stage.now() - begin < 3 * contractGrace; step += 1) {
    if (step % 3 === 0) for (const one of lively) await stage.renew(one);
    if (step % 3 === 0) await beside();
    if ((await stage.readiness(node)) === 'Unknown') return stage.now() - begin;
    await stage.pass(1_000);
  }
  return undefined;
}
