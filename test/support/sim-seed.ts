import { Subject, combineLatest, filter, map, merge, type Observable } from 'rxjs';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Clock, ClusterApi, MachineApi, Scaler, SeedWatch, ShootApi } from '../../src/effects/ports.ts';
import type { SeedEvent } from '../../src/machines/shoot-language.ts';
import { SimWorld } from '@dwd/testing/sim-world.ts';

/** A seed with a simulated world for each of its shoots, by name. */
export class SimSeed implements SeedWatch, ShootApi, MachineApi, ClusterApi, Scaler {
  readonly #worlds = new Map<string, SimWorld>();
  readonly #slipped = new Subject<Readonly<{ shoot: string; event: SeedEvent }>>();

  constructor(clock: Clock, config: ProberConfig, shoots: readonly string[]) {
    for (const shoot of shoots) this.#worlds.set(shoot, new SimWorld(clock, config));
  }

  world(shoot: string): SimWorld {
    const world = this.#worlds.get(shoot);
    if (world === undefined) throw new Error(`${shoot} is no shoot of this seed`);
    return world;
  }

  /** Gives one shoot's machine an event that its world did not send. */
  slip(shoot: string, event: SeedEvent): void {
    this.#slipped.next({ shoot, event });
  }

  get shoots$(): Observable<ReadonlySet<string>> {
    const each = [...this.#worlds].map(([name, world]) =>
      world.shoots$.pipe(map((present) => (present.size > 0 ? [name] : []))),
    );
    return combineLatest(each).pipe(map((names) => new Set(names.flat())));
  }

  events$(shoot: string): Observable<SeedEvent> {
    const slipped = this.#slipped.pipe(filter((one) => one.shoot === shoot));
    return merge(this.world(shoot).events$(), slipped.pipe(map(({ event }) => event)));
  }

  listLeases: ShootApi['listLeases'] = (shoot, deadlineAt, signal) =>
    this.world(shoot).listLeases(shoot, deadlineAt, signal);
  askPath: ShootApi['askPath'] = (shoot, path, deadlineAt, signal) =>
    this.world(shoot).askPath(shoot, path, deadlineAt, signal);
  listNodes: ShootApi['listNodes'] = (shoot, deadlineAt, signal) =>
    this.world(shoot).listNodes(shoot, deadlineAt, signal);
  listMachines: MachineApi['listMachines'] = (shoot, deadlineAt, signal) =>
    this.world(shoot).listMachines(shoot, deadlineAt, signal);
  readCluster: ClusterApi['readCluster'] = (shoot, deadlineAt, signal) =>
    this.world(shoot).readCluster(shoot, deadlineAt, signal);
  write: Scaler['write'] = (shoot, ref, seen, change, options) =>
    this.world(shoot).write(shoot, ref, seen, change, options);
  read: Scaler['read'] = (shoot, ref) => this.world(shoot).read(shoot, ref);
}

/** It stands before a scaler as the rate limit does. While it holds, writes wait in it, and withdrawn writes are never sent. */
export class HeldScaler implements Scaler {
  holding = false;
  /** How many writes were withdrawn before they were sent. */
  withdrawn = 0;
  readonly #inner: Scaler;
  readonly #waiting = new Set<() => void>();

  constructor(inner: Scaler) {
    this.#inner = inner;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Sends everything that waits, and holds no more. */
  release(): void {
    this.holding = false;
    for (const send of this.#waiting) send();
    this.#waiting.clear();
  }

  write: Scaler['write'] = (shoot, ref, seen, change, options) => {
    if (!this.holding) return this.#inner.write(shoot, ref, seen, change, options);
    return new Promise((resolve) => {
      const send = () => resolve(this.#inner.write(shoot, ref, seen, change, options));
      this.#waiting.add(send);
      options.withdrawn.addEventListener('abort', () => {
        if (!this.#waiting.delete(send)) return;
        this.withdrawn++;
        resolve({ outcome: 'withdrawn' });
      });
    });
  };

  read: Scaler['read'] = (shoot, ref, options) => this.#inner.read(shoot, ref, options);
}
