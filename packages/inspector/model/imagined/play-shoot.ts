import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { FollowedTurn } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { pureMachines, type ShootLanguage, type ShootOutcome } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootCommand, ShootEvent } from 'dependency-watchdog/machines/shoot-language.ts';
import {
  assumedLook,
  imaginedConfig,
  imaginedContext,
  imaginedEvent,
  type Changes,
} from '../questions/what-if-changes.ts';
import type { Begin, RecordedShoot } from './recorded-shoot.ts';
import { playedSeed } from './played-seed.ts';

export type PlayedTurn = FollowedTurn<ShootLanguage> & Readonly<{ run: string }>;

/** What is imagined of a whole night: the configuration, and nothing else. */
export type ImaginedNight = Pick<Changes, 'config'>;

/** It would take more steps than anybody waits for, as with an interval of a millisecond. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

const machine = pureMachines.shoot;

/** So many steps take some milliseconds. */
const breath = 50;

type Pending = Readonly<{ at: Instant; event: () => ShootEvent | undefined }>;

/**
 * Plays the machine of a shoot through what is recorded around it, with another configuration: what it asks is answered as the record tells for that
 * instant, what it writes changes dependants of its own. Gives each turn that it takes to `take`, and rests now and then, so that a page can answer its reader. Throws TooManySteps.
 */
export function* playShoot(
  recorded: RecordedShoot,
  changes: ImaginedNight,
  { mostSteps, endsAt, take }: Readonly<{ mostSteps: number; endsAt: Instant; take: (turn: PlayedTurn) => void }>,
): Generator<void, void, void> {
  const seed = playedSeed(recorded.seed);
  let steps = 0;
  let seq = 0;
  for (const [index, begin] of recorded.begins.entries()) {
    const next = recorded.begins[index + 1];
    steps += yield* playRun(begin, Math.min(begin.until, next?.at ?? endsAt, endsAt));
  }

  function* playRun(begin: Begin, until: Instant): Generator<void, number, void> {
    let pending: Pending[] = begin.answers.map((event) => ({
      at: event.at,
      event: () => imaginedEvent(event, changes),
    }));
    let wakeAt: Instant | undefined;
    let done = 0;
    const events = recorded.events.filter(({ at }) => at >= begin.at && at <= until);
    seed.startAt(begin);
    let next = 0;
    let snapshot = first();

    for (;;) {
      const [event, change] = [events[next], seed.next()];
      const soonest = pending.reduce<Pending | undefined>(
        (one, other) => (one === undefined || other.at < one.at ? other : one),
        undefined,
      );
      const at = Math.min(event?.at ?? Infinity, change ?? Infinity, soonest?.at ?? Infinity, wakeAt ?? Infinity);
      if (at > until || at === Infinity) return done;
      if (done % breath === 0) yield;
      if (change === at) for (const one of seed.take(at)) step(one);
      else if (event?.at === at) {
        next += 1;
        step(imaginedEvent(event, changes));
      } else if (soonest?.at === at) {
        pending = pending.filter((one) => one !== soonest);
        const made = soonest.event();
        if (made !== undefined) step(made);
      } else {
        wakeAt = undefined;
        step({ type: 'woken', at });
      }
    }

    function first(): Parameters<typeof machine.take>[0] {
      if ('input' in begin.from) {
        const input = { ...begin.from.input, config: imaginedConfig(begin.from.input.config, changes) };
        const outcome = machine.first(input);
        tell({ type: 'started', at: begin.at, input }, undefined, outcome);
        return outcome.snapshot;
      }
      const { value, context } = begin.from.place;
      const place = { value, context: imaginedContext(context, changes).context };
      const restored = machine.restore(place);
      wakeAt = begin.at;
      return restored;
    }

    function step(event: ShootEvent): void {
      done += 1;
      if (steps + done > mostSteps) throw new TooManySteps();
      const before = snapshot;
      const outcome = machine.take(before, event);
      ({ snapshot } = outcome);
      tell(event, before, outcome);
    }

    function tell(event: PlayedTurn['event'], before: typeof snapshot | undefined, outcome: ShootOutcome): void {
      seq += 1;
      const { state: to, commands, notes } = outcome;
      take({
        kind: 'shoot',
        subject: recorded.shoot,
        run: begin.run,
        seq,
        at: event.at,
        event,
        ...(before === undefined ? {} : { from: machine.stateOf(before), before }),
        to,
        commands,
        notes,
        after: outcome.snapshot,
      });
      for (const command of commands) carryOut(command, event.at, outcome);
    }

    function answer(at: Instant, event: Pending['event']): void {
      pending.push({ at, event });
    }

    function carryOut(command: ShootCommand, at: Instant, { snapshot: { context } }: ShootOutcome): void {
      switch (command.type) {
        case 'wake':
          wakeAt = Math.max(command.params.at, at);
          break;
        case 'probe': {
          const asked = command.params.number;
          const told = recorded.probeAt(at);
          if (told === undefined) break;
          const head = { at: at + told.took, number: asked, askedAt: at };
          if ('reason' in told.answer) {
            const failure = told.answer;
            answer(head.at, () => ({ type: 'probe.failed', ...head, failure }));
            break;
          }
          const { served, leftOut } = told.answer;
          const moved = served && {
            date: served.date + at - told.at,
            sentAt: served.sentAt + at - told.at,
            receivedAt: served.receivedAt + at - told.at,
          };
          answer(head.at, () => ({
            type: 'probe.answered',
            ...head,
            leases: recorded.leases.at(at),
            ...(moved && { served: moved }),
            ...(leftOut === undefined ? {} : { leftOut }),
          }));
          break;
        }
        case 'listCandidates': {
          const { number: asked } = command.params;
          const told = recorded.lookAt(at);
          const took = told?.took ?? 0;
          const head = { at: at + took, number: asked };
          const assumed = () => assumedLook(asked, context, head.at);
          // The Cluster is not asked for with each look.
          if (told === undefined) answer(head.at, assumed);
          else
            answer(head.at, () => {
              const { cluster } = assumed();
              return imaginedEvent({ ...(cluster && { cluster }), ...told.answer, ...head }, changes);
            });
          break;
        }
        case 'askPath': {
          const { path, number: asked } = command.params;
          const told = recorded.pathAt(path, at);
          const failure = told?.answer;
          answer(at + (told?.took ?? 0), () => ({
            type: 'path.answered',
            at: at + (told?.took ?? 0),
            number: asked,
            path,
            askedAt: at,
            ...(failure && { failure }),
          }));
          break;
        }
        case 'readCluster': {
          const { cluster } = context;
          answer(at, () => ({
            type: 'cluster.answered',
            at,
            number: command.params.number,
            cluster: cluster === null ? { outcome: 'gone' } : { outcome: 'read', reading: { readable: true, cluster } },
          }));
          break;
        }
        case 'reserveProbe': {
          const { wanted, latest } = command.params;
          answer(at, () => ({
            type: 'probe.reserved',
            at,
            asked: command.params,
            probeAt: wanted < latest ? wanted : null,
          }));
          break;
        }
        case 'scale': {
          const asked = command.params;
          const written = at + recorded.seed.writeTook(at);
          answer(written, () => ({
            type: 'scale.answered',
            at: written,
            askedAt: at,
            asked,
            answer: seed.write(written, asked),
          }));
          break;
        }
        case 'read': {
          const asked = command.params;
          const readAt = at + recorded.seed.writeTook(at);
          answer(readAt, () => ({
            type: 'read.answered',
            at: readAt,
            askedAt: at,
            asked,
            answer: { outcome: 'read', view: seed.view(asked.key) },
          }));
          break;
        }
        case 'withdraw':
        case 'note':
          break;
      }
    }
  }
}
