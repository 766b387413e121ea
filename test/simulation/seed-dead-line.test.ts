import { expect, test } from 'vitest';
import { watchedSeed } from '../support/watched-seed.ts';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

test('6.11 6.6 connections that die in the middle of a way down cost 3 s for the writes and nothing for the watches', async () => {
  await using stage = await watchedSeed({ proberLater: true });
  const line = await DeadLine.to(stage.seed.api.url);
  stage.line = line;
  await stage.start();
  await stage.pass(60_000);
  stage.shoot().cutOff();
  let diedAt = 0;
  stage.onTurn = ({ commands }) => {
    if (diedAt !== 0 || !commands.some(({ type }) => type === 'scale')) return;
    line.die();
    diedAt = stage.clock.now();
  };
  await stage.untilState('scaledDown', 90_000);
  const [shielded] = stage.notesOf('shielded');
  const scaled = stage.changes.ours.map(({ name, at }) => ({ name, after: at - diedAt }));
  expect(scaled.map(({ name }) => name).toSorted()).toEqual([
    'cluster-autoscaler',
    'kube-controller-manager',
    'machine-controller-manager',
  ]);
  // The writes of level 0 were lost; that of level 1 would come 3 s after them, if a watch had to be found dead by itself.
  for (const { after } of scaled) expect(after).toBeGreaterThanOrEqual(3_000);
  expect(scaled.at(-1)!.after - scaled[0]!.after).toBeLessThan(3_000);
  expect(stage.seedRequests.filter(({ code }) => code === 'timeout').length).toBeLessThanOrEqual(3);
  expect(stage.clock.now()).toBeLessThan(shielded!.firstMarkAt);
  expect(stage.marks).toBe(0);
  await line.close();
});

/**
 * A line to an API server that can die silently, as behind a NAT gateway that has forgotten its connections: open connections stay
 * open, and nothing comes through. New connections pass.
 */
class DeadLine {
  readonly #target: URL;
  readonly #server: Server;
  readonly #open = new Set<Readonly<{ near: Socket; far: Socket }>>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      const pair = { near, far };
      this.#open.add(pair);
      for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => socket.destroy());
      near.pipe(far).pipe(near);
      near.once('close', () => {
        this.#open.delete(pair);
        far.destroy();
      });
      far.once('close', () => near.destroy());
    });
  }

  static async to(target: string): Promise<DeadLine> {
    const line = new DeadLine(target);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Data on its way is lost as well. */
  die(): void {
    for (const { near, far } of this.#open) {
      for (const socket of [near, far]) socket.unpipe().removeAllListeners('data').resume();
    }
  }

  async close(): Promise<void> {
    for (const { near } of this.#open) near.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
