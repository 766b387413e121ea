import {
  runRoleInProcess,
  type RoleInProcess,
  type Hearer,
  type RunningRole,
} from 'dependency-watchdog/commands/role/run-role-in-process.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { carry } from '@dwd/simulator/memory/carry.ts';
import type { Carry } from '@dwd/simulator/memory/memory-dispatcher.ts';
import { memoryAuthority } from '@dwd/simulator/memory/memory-network.ts';
import type { Agenda } from '@dwd/simulator/store/agenda.ts';
import { chanceOf } from './chance-of.ts';
import { CountedPool, memoryConnect } from './memory/memory-connections.ts';
import type { Director, Moment } from './observation.ts';
import { isWatch, OpenRequests } from './open-requests.ts';
import { ProcessClock, ProcessGate } from './process-gate.ts';
import type { Scene, Slot } from './scene.ts';

export type ProcessParts = Readonly<{
  scene: Scene;
  slot: Slot;
  /** `prober-0#3`; its identity in the election, and its user in the seed. */
  name: string;
  processId: number;
  token: string;
  /** Its flags, as on the command line. */
  args: readonly string[];
  director: Director;
  /** It has crashed at a point, or has ended by itself, with this reason. */
  gone: (did: 'crashed' | 'ended', why?: string) => void;
}>;

const observerFailed = 'an observer of the turns failed';

/** Where hosts fail, lines are as long as those of a large seed, so that an output soon has more than may wait. */
const longLine = 4_096;

/** What waits for the host of a process: bytes of its log, and calls that its disk has not answered. */
export type Waiting = Readonly<{ lineBytes: number; diskCalls: number }>;

/** One process of the program, as `run-role.ts` runs it, with everything outside of it in memory. */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  /** What it has open at the moment. */
  readonly open: OpenRequests = new OpenRequests();
  /** Pools of connections to the seed that it has not given up. */
  pools = 0;
  /** Since when it stands still in a call of its host that does not return. */
  standsSince: Instant | undefined;
  #sliced = false;
  readonly #steady: ProcessClock;
  readonly #gate: ProcessGate;
  readonly #parts: ProcessParts;
  readonly #agenda: Agenda;
  readonly #disk: ReturnType<Slot['disk']['as']>;
  readonly #role: RunningRole;
  #pausedUntil: Instant = -Infinity;

  constructor(parts: ProcessParts) {
    const { name, slot, scene } = parts;
    const { clock: world, plan, seed } = scene;
    const chance = chanceOf(plan.number, `${name} clock`);
    const either = (most: number): number => (chance() * 2 - 1) * most;
    const ahead = either(plan.clocks.ahead) + slot.ahead;
    const drift = either(plan.clocks.drift);
    this.name = name;
    this.#parts = parts;
    this.#agenda = seed.api.agenda;
    this.#gate = new ProcessGate((task) => void world.wakeAt(world.now()).subscribe(task));
    this.clock = new ProcessClock(world, this.#gate, { ahead, drift });
    // Only a wall clock is set; a process's steady clock drifts with it.
    this.#steady = new ProcessClock(world, this.#gate, { drift });
    const deliver = (task: () => void): void => this.#gate.run(task);
    const standStill = (until: (over: () => void) => void): void => this.#standStill(until);
    this.#disk = slot.disk.as(deliver, standStill);
    const surroundings = {
      clock: this.clock,
      steady: this.#steady,
      chance: chanceOf(plan.number, `${name} chance`),
      output: slot.output.as(deliver, standStill),
      disk: this.#disk,
      dial: (origin: string) => {
        this.pools += 1;
        return new CountedPool(this.#carry(origin, true), () => (this.pools -= 1));
      },
      connect: memoryConnect((origin) => this.#carry(origin, false)),
      identity: name,
      processId: parts.processId,
    };
    const given = {
      args: parts.args,
      seed: { server: seed.api.url, token: parts.token, ca: memoryAuthority },
      surroundings,
    };
    const begin = <Name extends RoleName>(role: Name, config: RoleInProcess<Name>['config']): RunningRole =>
      runRoleInProcess(role, { ...given, config, hearer: this.#hearer() });
    this.#role = slot.role === 'prober' ? begin('prober', scene.config) : begin('weeder', scene.weederConfig);
    void this.#role.run().then((why) => {
      if (this.#gate.isShut) return;
      this.crash();
      parts.gone('ended', why);
    });
  }

  get isPaused(): boolean {
    return this.#gate.isPaused && !this.#sliced;
  }

  get isGone(): boolean {
    return this.#gate.isShut;
  }

  /** Its timers, on either clock. */
  get sleeping(): number {
    return this.clock.sleeping + this.#steady.sleeping;
  }

  waiting(): Waiting {
    return { lineBytes: this.#role.lines.backlog, diskCalls: this.#disk.unanswered() };
  }

  /** What its journal holds in memory. */
  journal(): Iterable<Buffer> {
    return this.#role.observed.journal.chapters();
  }

  /** As it serves them. */
  metrics(): Promise<string> {
    return this.#role.observed.metrics.text();
  }

  /** SIGKILL: nothing of it happens any more. What it has sent may still be carried out. */
  crash(): void {
    this.#gate.shut();
  }

  /** It stands still for so long, or longer where it stands still already. Whatever comes for it waits. */
  pause(length: Millis): void {
    const until = this.#agenda.clock.now() + length;
    this.#sliced = false;
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    this.#gate.pause();
    this.#agenda.at(until, () => {
      if (!this.#gate.isPaused || until < this.#pausedUntil) return;
      const { scene, slot } = this.#parts;
      scene.observe({ kind: 'process', slot: slot.name, process: this.name, did: 'resumed' });
      this.#goOn();
    });
  }

  /** Its core is not its own for so long. It is not told as a pause: nothing that the program does may depend on it. */
  slice(length: Millis): void {
    if (this.#gate.isPaused) return;
    this.#sliced = true;
    this.#gate.pause();
    this.#agenda.after(length, () => {
      if (!this.#sliced) return;
      this.#sliced = false;
      this.#goOn();
    });
  }

  /** SIGTERM. */
  terminate(): void {
    this.#gate.run(() => this.#role.end('SIGTERM'));
  }

  /** Unless something else holds it up still. */
  #goOn(): void {
    if (this.standsSince === undefined && this.#agenda.clock.now() >= this.#pausedUntil) this.#gate.resume();
  }

  /** A call of its host blocks until `until` calls back. */
  #standStill(until: (over: () => void) => void): void {
    if (this.isGone || this.standsSince !== undefined) return;
    this.standsSince = this.#agenda.clock.now();
    this.#gate.pause();
    until(() => {
      this.standsSince = undefined;
      this.#goOn();
    });
  }

  #hearer(): Hearer {
    const { scene, name } = this.#parts;
    return {
      line: (line) => {
        // The program survives it, and says so in its log alone.
        if (line.includes(observerFailed)) scene.observe({ kind: 'bug', error: line });
        return scene.plan.hostFails ? line.padEnd(longLine) : line;
      },
      turn: (turn, tell) => {
        // What a crashed process was about to do, it does no more.
        if (this.isGone) return;
        tell();
        scene.observe({ kind: 'turn', process: name, turn });
      },
    };
  }

  #carry(origin: string, isSeed: boolean): Carry {
    const { scene, slot, director, gone, name } = this.#parts;
    const { network, seed } = scene;
    const link = isSeed ? slot.links.seed : slot.links.shoot;
    const to = isSeed ? undefined : seed.shoots.find(({ api }) => api === network.at(origin)[0])?.name;
    return (request, receiver) => {
      const { answered, over } = this.open.begin(request, isSeed ? undefined : (to ?? origin));
      const server = link.oneOf(network.at(origin));
      // Nobody has that address: the packet vanishes.
      if (server === undefined || this.isGone) return over;
      const strikeAt = (when: Moment['when']): void => {
        const moment = { process: name, when, to, request };
        const blow = director(moment);
        if (blow === undefined) return;
        if (blow.kind === 'crash') this.crash();
        else this.pause(blow.length);
        scene.observe({ kind: 'blow', process: name, moment, did: blow.kind === 'crash' ? 'crashed' : 'paused' });
        if (blow.kind === 'crash') gone('crashed');
      };
      const at = (when: Moment['when'], then: () => void): void => {
        strikeAt(when);
        this.#gate.run(then);
      };
      // What hangs on a paused or crashed process does not send: the request goes on its way when it resumes.
      if (!this.#gate.isPaused) strikeAt('before');
      const leave = carry({
        server,
        request,
        fate: network.balancerAt(origin)?.through(link.fate(request)) ?? link.fate(request),
        watch: () => link.watchFate(request),
        struck: (fault) => link.struck(fault, to),
        agenda: this.#agenda,
        deliver: (task) => this.#gate.run(task),
        receiver: {
          sent: () => {
            receiver.sent();
            scene.observe({ kind: 'request', process: name, to, request });
            strikeAt('sent');
          },
          // Each waits for the one before it, so that an answer stays in order where its head was held.
          head: (status, headers) =>
            at('answer', () => {
              answered();
              const retryAfter = 1_000 * Number(headers['retry-after'] ?? 1);
              if (isSeed && status === 429) scene.observe({ kind: 'throttled', process: name, request, retryAfter });
              receiver.head(status, headers);
            }),
          data: (chunk) =>
            isWatch(request.url) ? at('event', () => receiver.data(chunk)) : this.#gate.run(() => receiver.data(chunk)),
          end: () =>
            this.#gate.run(() => {
              over();
              receiver.end();
              strikeAt('after');
            }),
          fail: (error) =>
            this.#gate.run(() =>
              at('answer', () => {
                over();
                receiver.fail(error);
              }),
            ),
        },
      });
      return () => {
        over();
        leave();
      };
    };
  }
}
