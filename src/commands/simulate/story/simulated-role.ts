import process from 'node:process';
import { parse } from 'yaml';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { CredentialSource } from '../../../adapters/credentials/credentials.ts';
import { journal, type Journal } from '../../../adapters/journal/journal.ts';
import type { KubeClient } from '../../../adapters/kube/kube-client.ts';
import type { StreamNotice } from '../../../adapters/reflector/stream-trouble.ts';
import type { Rate } from '../../../adapters/seed-client/rate-limit.ts';
import { readKubeconfig } from '../../../domain/prober/kubeconfig.ts';
import type { Chance, Clock } from '../../../effects/ports.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import type { RoleName } from '../../role/role.ts';
import { seedClients } from '../../role/seed-clients.ts';

/** What a role is put together from on the embedded seed. */
export type SimulatedRoleParts<Config> = Readonly<{
  clock: Clock;
  chance: Chance;
  config: Config;
  seed: EmbeddedSeed;
  /** Takes messages that are in no turn. */
  remark: (text: string) => void;
}>;

type SimulatedClientParts = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  /** The user that the seed sees. */
  user: string;
  rate: Rate;
  /** Takes messages that are in no turn. */
  remark: (text: string) => void;
}>;

/** A client of the embedded seed, like that of any other seed. There is no election here, so it may always write. */
export function simulatedClient({ clock, seed, user, rate, remark }: SimulatedClientParts): KubeClient {
  const clients = seedClients({
    clock,
    credentials: embeddedCredentials(seed.addUser(user)),
    rate,
    userAgent: `dependency-watchdog-simulate/${packageJson.version}`,
    hooks: { onCredentialsProblem: remark },
  });
  return clients();
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

/** The journal of a simulated role, as the role itself would write it. Problems with it are printed for the operator. */
export function storyJournal(
  options: Readonly<{
    clock: Clock;
    role: RoleName;
    configuration: unknown;
    dir: string | undefined;
    say: (line: string) => void;
  }>,
): Journal {
  const { clock, role, configuration, dir, say } = options;
  return journal({
    clock,
    program: { role, version: packageJson.version, processId: process.pid, configuration },
    dir,
    say: (_level, message) => say(message),
    onDropped: ({ reason, turns }) => say(`${turns} turns are missing in the journal: ${reason}`),
    onWriteFailed: () => undefined,
  });
}

/**
 * Turns the notices of the seed's streams into sentences, and leaves out the usual ones. Of many streams with one name, only
 * the first that fails is reported, and the moment when all work again.
 */
export function streamRemarks(remark: (text: string) => void): (notice: StreamNotice) => void {
  /** The streams that are out, by name. */
  const out = new Map<string, Set<string>>();
  return (notice) => {
    const { kind, stream, of = '' } = notice;
    const those = out.get(stream) ?? new Set();
    out.set(stream, those);
    switch (kind) {
      case 'restarted':
        return;
      case 'live':
        // The first time it is the start of the stream, not the end of a problem.
        if (those.delete(of) && those.size === 0) remark(`the watch on ${stream} is back`);
        return;
      case 'out':
        if (those.size === 0) remark(`the watch on ${stream} cannot be relied on: ${notice.problem}`);
        those.add(of);
        return;
      case 'badLine':
        return remark(`the watch on ${stream} brought what is no object: ${notice.problem}`);
      case 'unprojected':
      case 'unreadable':
        return remark(`${notice.object} of ${stream} cannot be read: ${notice.problem}`);
      case 'overLimit':
        return remark(`${notice.object} of ${stream} is one more than the ${notice.limit} that are kept`);
    }
  };
}
