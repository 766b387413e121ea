import process from 'node:process';
import type { KubeEventsOptions } from '../../adapters/record/events/kube-events.ts';
import { leaderOf } from '../../adapters/record/episodes/leaders.ts';
import { createHealth, type Health } from '../../adapters/http/health.ts';
import { sharedRendering } from '../../adapters/http/routes.ts';
import { journal, type Journal } from '../../adapters/record/journal/journal.ts';
import type { ProcessLead } from '../../adapters/record/journal/journal-kinds.ts';
import type { Log } from '../../adapters/record/log/log.ts';
import { rollCall, type RollCall } from '../../adapters/record/log/roll-call.ts';
import { turnLog } from '../../adapters/record/log/turn-log.ts';
import { createMetrics, type Metrics } from '../../adapters/record/metrics/metrics.ts';
import type { BoundedLines } from '../../adapters/output/bounded-lines.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-item.ts';
import { type ObserverName, type ObserveTurn, observeTurns, TurnOutbox } from '../../adapters/record/facts/turns.ts';
import type { Clock } from '../../effects/ports.ts';
import { guests, type LiveHistory } from '../guests.ts';
import { type Build, calledAs } from '../build.ts';
import type { Role, RoleHooks } from './role.ts';
import type { SeedClientHooks } from './seed-clients.ts';
import type { SlowdownHooks } from '../../adapters/seed-client/rate.ts';
import { scaleUpsSlowed } from './scale-ups-slowed.ts';
import { lastingTrouble } from './lasting-trouble.ts';
import { SeedStreams } from './seed-streams.ts';
import type { Surroundings } from './surroundings.ts';
import { strayLog } from './stray-log.ts';
import { streamLog } from './stream-log.ts';
import { streamOutageLog } from './stream-outage-log.ts';

const { liveHistory } = await guests.page();

export type Observed = Readonly<{
  metrics: Metrics;
  health: Health;
  streams: SeedStreams;
  journal: Journal;
  /** What the inspector shows. */
  history: LiveHistory;
  /** Whether this process leads, for all that say so. */
  onLead(lead: ProcessLead): void;
  /** Says how all shoots or services stand: at the start, from time to time, and at the end. */
  roll: Omit<RollCall, 'observe'>;
  hooks: RoleHooks & SeedClientHooks;
  /** Undefined in a role that never scales up. */
  slowed: SlowdownHooks | undefined;
  /** What the Kubernetes events tell of themselves. */
  events: Pick<KubeEventsOptions, 'say' | 'onDropped' | 'onFault'>;
  /** `more` are told after metrics, log, journal, health and inspector. All are told later, where the surroundings say so. */
  observer(more?: Readonly<Partial<Record<ObserverName, ObserveTurn>>>): ObserveTurn;
  /** Tells the observers of every turn that they have not heard of yet. */
  flush(): void;
}>;

const nobody = {
  prober: 'no shoot is known: the seed has shown no Cluster yet',
  weeder: 'no service is known: the seed has shown no EndpointSlice of a configured service yet',
} as const;

/** Everything that reads the turns (SPEC 9.1), and the counters that adapters call. */
export function observeRole<Config>(
  { name, longestSilence, streams: streamsOf }: Pick<Role<Config>, 'name' | 'longestSilence' | 'streams'>,
  options: Readonly<{
    clock: Clock;
    config: Config;
    log: Log;
    build: Build;
    journalDir?: string | undefined;
    /** Whether anybody can ask the inspector; yes unless said. Where nobody can, it hears no turn. */
    inspected?: boolean;
    /** The seed's address at present. */
    server: () => string;
    /** Where the lines of the log wait. */
    lines?: Pick<BoundedLines, 'onDropped'>;
  }> &
    Pick<Surroundings, 'processId' | 'disk' | 'later'>,
): Observed {
  const {
    clock,
    config,
    log,
    build,
    journalDir,
    inspected = true,
    server,
    processId = process.pid,
    disk,
    later,
    lines,
  } = options;
  const streams = new SeedStreams(clock, streamsOf(config));
  const metrics = createMetrics(name, streams, build, server);
  if (lines !== undefined) lines.onDropped = metrics.onLogLineDropped;
  const kept = journal({
    clock,
    program: { role: name, version: build.version, processId, configuration: config },
    dir: journalDir,
    ...(disk && { disk }),
    say: (level, message) => log[level](message),
    onDropped: metrics.onJournalDropped,
    onWriteFailed: metrics.onJournalWriteFailed,
  });
  const history = liveHistory({
    version: build.version,
    program: calledAs(),
    now: () => clock.now(),
    journal: kept,
  });
  const health = createHealth({ clock, longestSilence: longestSilence(config), missing: () => streams.missing() });
  const credentials = lastingTrouble(log, clock, { line: 'cannot read the credentials' });
  const roll = rollCall({ log, clock, nobody: nobody[name] });
  const outbox = new TurnOutbox(later);
  const logStream = streamLog(log, clock);
  const logStrays = strayLog(log);
  const logOutage = streamOutageLog(log, { clock, streams, server });
  const failed = (observer: ObserverName, error: unknown) => {
    metrics.onObserverFault(observer);
    log.error('an observer of the turns failed', { observer, error });
  };

  return {
    metrics: { ...metrics, text: sharedRendering(clock, metrics.text) },
    health,
    streams,
    journal: kept,
    history,
    onLead(lead) {
      metrics.onLeader(lead.leads);
      if (!lead.leads) metrics.onStrays([]);
      history.onLead(lead);
    },
    roll,
    hooks: {
      onSeedRequest: metrics.onSeedRequest,
      onRequestThrottled: () => metrics.onRequestThrottled('seed'),
      onRequestHeld: metrics.onRequestHeld,
      onShootRequest: (seen) => {
        metrics.onShootRequest(seen);
        if (seen.code === '429') metrics.onRequestThrottled('shoot');
      },
      onStreamNotice: (notice: StreamNotice) => {
        if (notice.kind === 'restarted') metrics.onWatchRestart(notice.stream);
        if (notice.kind === 'overLimit') metrics.onObjectDropped(notice.stream);
        streams.take(notice);
        logStream(notice);
        logOutage(notice);
      },
      onStrays(found) {
        metrics.onStrays(found.strays.map(({ shoot }) => shoot));
        logStrays(found);
      },
      onCredentialsRead: (problem) =>
        problem === undefined
          ? credentials.works()
          : credentials.fails("read the seed's credentials again (the former ones stay in use)", problem),
    },
    slowed: name === 'prober' ? scaleUpsSlowed(log, clock, metrics.onScaleUpsSlowed) : undefined,
    events: {
      say: (message) => log.info(message),
      onDropped: metrics.onEventDropped,
      onFault: (error) => failed('events', error),
    },
    observer: (more = {}) =>
      outbox.to(
        observeTurns(
          {
            metrics: metrics.observe,
            log: turnLog(log, () => leaderOf(kept.header())),
            roll: roll.observe,
            journal: kept.observe,
            health: health.observe,
            ...(inspected && { inspector: history.observe }),
            ...more,
          },
          failed,
        ),
      ),
    flush: () => outbox.flush(),
  };
}
