import process from 'node:process';
import { filter, ignoreElements, merge, of, tap, type Observable } from 'rxjs';
import { parse } from 'yaml';
import type { CredentialSource } from 'dependency-watchdog/adapters/credentials/credentials.ts';
import type { Log } from 'dependency-watchdog/adapters/log/log.ts';
import type { Rate } from 'dependency-watchdog/adapters/seed-client/rate.ts';
import { readKubeconfig } from 'dependency-watchdog/domain/prober/kubeconfig.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import { readBuild } from 'dependency-watchdog/commands/build.ts';
import { lastWords } from 'dependency-watchdog/commands/end-process.ts';
import { observeRole } from 'dependency-watchdog/commands/role/observe-role.ts';
import { openServers } from 'dependency-watchdog/commands/role/open-servers.ts';
import type { Assembled, RoleName, RoleParts } from 'dependency-watchdog/commands/role/role.ts';
import { seedClients } from 'dependency-watchdog/commands/role/seed-clients.ts';
import { machine } from 'dependency-watchdog/commands/role/surroundings.ts';
import { writtenKubeconfig, type Places } from './places.ts';

export type SimulatedRoleOptions<Config, OwnTurn extends Turn> = Readonly<{
  name: RoleName;
  assemble: (parts: RoleParts<Config>) => Assembled<OwnTurn>;
  longestSilence: (config: Config) => Millis;
  streams: (config: Config) => readonly string[];
  /** The user that the seed sees. */
  user: string;
  rate: Rate;
  clock: Clock;
  chance: Chance;
  config: Config;
  seed: EmbeddedSeed;
  journalDir: string | undefined;
  /** Takes messages that are in no turn. */
  remark: (text: string) => void;
}>;

export type SimulatedRole<OwnTurn> = Readonly<{
  /** The role runs while this is subscribed to. */
  turns$: Observable<OwnTurn>;
  places: Places;
  /** Nothing of it is left, on the disk or on the network. */
  close(): Promise<void>;
}>;

/** A port that is free, on which nobody else's machine can ask. */
const freePort = { host: '127.0.0.1', port: 0 } as const;

/**
 * A role on an embedded seed, with the client, metrics, health and journal that it has on any other. There is no election
 * here, so it leads. All is served at once, before the role runs.
 */
export async function simulatedRole<Config, OwnTurn extends Turn>(
  options: SimulatedRoleOptions<Config, OwnTurn>,
): Promise<SimulatedRole<OwnTurn>> {
  const { clock, chance, config, seed, journalDir, remark } = options;
  const log = remarkLog(remark);
  const build = readBuild(process.env);
  const observed = observeRole(options, { clock, config, log, build, journalDir, server: () => seed.api.url });
  const { metrics, health, journal, history, hooks } = observed;
  const addresses = { metricsAddress: freePort, healthAddress: freePort, inspectorAddress: freePort };
  const listening = await openServers(addresses, { metrics, health, journal, history, clock, log });
  const kubeconfig = await writtenKubeconfig(seed.kubeconfig);

  const clients = seedClients({
    clock,
    credentials: embeddedCredentials(seed.addUser(options.user)),
    rate: options.rate,
    userAgent: `dependency-watchdog-simulate/${build.version}`,
    hooks,
    slowed: observed.slowed,
  });
  const assembled = options.assemble({ clock, chance, config, client: clients(), hooks });
  observed.onLead({ leads: true, elects: false });
  // The story itself tells the turns.
  const observe = observed.observer({ log: () => undefined });
  const ready$ = assembled.synced$.pipe(
    filter((synced) => synced),
    tap(() => health.ready()),
    ignoreElements(),
  );
  const { ports, link = '' } = listening;
  const at = (port: number | undefined): string => `http://${freePort.host}:${port}`;
  return {
    turns$: merge(ready$, assembled.turns(of(true)).pipe(tap((turn) => observe(turn)))),
    places: {
      kubeconfig: kubeconfig.path,
      metrics: `${at(ports.metrics)}/metrics`,
      health: at(ports.health),
      journal: `${at(ports.inspector)}/journal`,
      inspector: link,
    },
    async close() {
      await listening.close();
      await journal.close(machine.steady.wakeAt(machine.steady.now() + lastWords));
      await kubeconfig[Symbol.asyncDispose]();
    },
  };
}

/** Credentials for the embedded seed, from a kubeconfig that it gave. None of it goes through a file. */
function embeddedCredentials(kubeconfig: string): CredentialSource {
  const reading = readKubeconfig(parse(kubeconfig));
  if (!reading.usable) throw new Error(`the embedded seed's own kubeconfig cannot be used: ${reading.problem}`);
  const { server, ca, token = '' } = reading.credentials;
  const credentials = {
    server: `https://${server.host}:${server.port}`,
    headers: { authorization: `Bearer ${token}` },
    tls: { ca },
  };
  return { origin: 'the embedded seed', read: () => Promise.resolve(credentials) };
}

const nothing = (): void => undefined;

/** The kind of line that tells the end of a trouble, where it is another than that of the trouble. */
const troubleOf: Readonly<Record<string, string>> = { 'watches again': 'cannot watch' };

/**
 * A log whose warnings and errors become sentences of the story, and so does the line that tells their end. The rest would only repeat
 * what the story tells.
 */
export function remarkLog(remark: (text: string) => void): Log {
  const troubles = new Set<unknown>();
  const say: Log['warn'] = (message, { line, stream, object, observer, problem, error } = {}) => {
    if (line !== undefined) troubles.add(line);
    const what = [message, stream, object, observer].filter((name) => typeof name === 'string').join(', ');
    const why = error instanceof Error ? error.message : problem;
    remark(typeof why === 'string' ? `${what}: ${why}` : what);
  };
  const sayEnd: Log['info'] = (message, { line } = {}) => {
    if (troubles.delete(troubleOf[String(line)] ?? line)) remark(message);
  };
  const isSaid = new Set(['warn', 'error', 'info']);
  return { debug: nothing, info: sayEnd, warn: say, error: say, writes: (level) => isSaid.has(level) };
}
