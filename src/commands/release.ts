import { firstValueFrom, map, merge, type Observable } from 'rxjs';
import packageJson from '../../package.json' with { type: 'json' };
import { systemChance } from '../adapters/clock/chance.ts';
import { rateOf } from '../adapters/seed-client/rate-limit.ts';
import { systemClock as clock } from '../adapters/clock/wall-clock.ts';
import { readConfigFile } from '../adapters/config/config-file.ts';
import { findCredentials } from '../adapters/credentials/find-credentials.ts';
import { LeaseClient } from '../adapters/election/lease-client.ts';
import { readLeaseRecord } from '../adapters/election/lease-record.ts';
import type { KubeClient } from '../adapters/kube/kube-client.ts';
import { seedWatch } from '../adapters/seed-watch/seed-watch.ts';
import { kubeScaler } from '../adapters/seed/scaler.ts';
import { counted, errorWords } from '../adapters/words/plain-words.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import { readInstant, type Millis } from '../domain/time.ts';
import type { Clock } from '../effects/ports.ts';
import type { SeedEvent } from '../machines/shoot-language.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport } from './config-report.ts';
import { boolFlag, floatFlag, intFlag, requiredFlag, stringFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';
import { releaseShoot } from './release-shoot.ts';
import { leaseNameOf, usualLeaseNamespace } from './role/role.ts';
import { gardenerRate, seedClients } from './role/seed-clients.ts';

const flags = flagSet('release', {
  configFile: requiredFlag({ placeholder: 'FILE', help: "the prober's configuration, a YAML file; required" }),
  kubeconfig: stringFlag({ placeholder: 'FILE', help: "the seed's kubeconfig; found as the prober finds it" }),
  shoot: stringFlag({ placeholder: 'NAMESPACE', help: 'only this shoot, by its namespace in the seed; else all' }),
  dryRun: boolFlag({ help: 'say what would be done, and write nothing' }),
  force: boolFlag({
    help: 'also while a prober leads, which would take everything down again if the nodes are cut off',
  }),
  leaderElectionNamespace: stringFlag({
    default: usualLeaseNamespace,
    placeholder: 'NAMESPACE',
    help: "where the prober's Lease is",
  }),
  kubeApiQps: floatFlag({ default: gardenerRate.qps, help: 'requests a second to the seed' }),
  kubeApiBurst: intFlag({ default: gardenerRate.burst, help: 'requests to the seed at once' }),
});

/** The first lists of the largest seed take seconds. After this long, the seed counts as not answering. */
const listsWithin = 60_000;

/**
 * `release`: raises what the watchdog left scaled down and takes its annotations away, level by level, without waiting
 * for pods; for the day on which the watchdog is taken out (SPEC 1.1, 6.5). A shoot that 3.1 excludes is left alone, and named.
 */
export async function runRelease(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { values } = parsed;
  const reading = await readConfigFile(values.configFile, (written) => readProberConfig(written, { strict: false }));
  if (!reading.ok) {
    for (const line of refusalReport(values.configFile, reading)) io.err(line);
    return 1;
  }
  const { config } = reading;

  try {
    const client = seedClients({
      clock,
      credentials: findCredentials(values.kubeconfig, io.env),
      rate: rateOf({ qps: values.kubeApiQps, burst: values.kubeApiBurst }),
      userAgent: `dependency-watchdog-release/${packageJson.version}`,
      hooks: { onCredentialsProblem: io.err },
    })();
    const leader = await leadingProber(client, clock, values.leaderElectionNamespace);
    if (leader !== undefined && !values.force && !values.dryRun) {
      io.err(`dependency-watchdog release: the prober ${leader} leads; end it first, or say --force`);
      return 1;
    }

    const seed = seedWatch({ client, clock, chance: systemChance, config });
    const holding = seed.synced$.subscribe();
    try {
      const all = await firstValueFrom(merge(seed.shoots$, tooLate$()));
      const wanted = [...all].filter((shoot) => values.shoot === undefined || shoot === values.shoot).toSorted();
      if (values.shoot !== undefined && wanted.length === 0) {
        io.err(`dependency-watchdog release: the seed has no Cluster ${values.shoot}`);
        return 1;
      }
      const scaler = kubeScaler({ client, clock });
      let failures = 0;
      for (const shoot of wanted) {
        const known = present(seed.events$(shoot));
        failures += await releaseShoot({ shoot, known, config, scaler, dryRun: values.dryRun, say: io.out });
      }
      io.out(
        failures === 0
          ? `${counted(wanted.length, 'shoot')} looked at`
          : `${counted(wanted.length, 'shoot')} looked at, ${counted(failures, 'resource')} could not be released`,
      );
      return failures === 0 ? 0 : 1;
    } finally {
      holding.unsubscribe();
    }
  } catch (error) {
    io.err(`dependency-watchdog release: ${errorWords(error)}`);
    return 1;
  }
}

function tooLate$(): Observable<never> {
  return clock.wakeAt(clock.now() + listsWithin).pipe(
    map(() => {
      throw new Error(`the seed's first lists were not in within ${listsWithin / 1_000} s`);
    }),
  );
}

/** The events that a shoot's stream replays at once. */
function present(events$: Observable<SeedEvent>): readonly SeedEvent[] {
  const events: SeedEvent[] = [];
  events$.subscribe((event) => events.push(event)).unsubscribe();
  return events;
}

/** The operator's clock may be ahead of the prober's by so much. We look only once, so we cannot rely on our own clock alone (SPEC 8). */
const ahead: Millis = 60_000;

/** Who holds the prober's Lease and renewed it lately; undefined if nobody does. Rejects with KubeError. */
export async function leadingProber(client: KubeClient, clock: Clock, namespace: string): Promise<string | undefined> {
  const lease = await new LeaseClient(client, namespace, leaseNameOf('prober')).get(new AbortController().signal);
  const { holderIdentity, renewTime, leaseDurationSeconds } = readLeaseRecord(lease);
  const renewedAt = readInstant(renewTime);
  if (holderIdentity === '' || renewedAt === undefined) return undefined;
  return clock.now() < renewedAt + leaseDurationSeconds * 1_000 + ahead ? holderIdentity : undefined;
}
