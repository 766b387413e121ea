import type { Observable } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { KubeClient, RequestSeen } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import type { StreamNotice } from 'dependency-watchdog/adapters/reflector/stream-item.ts';
import { RateLimit } from 'dependency-watchdog/adapters/seed-client/rate-limit.ts';
import { SeedConnection } from 'dependency-watchdog/adapters/seed-client/seed-connection.ts';
import { UndiciKubeClient } from 'dependency-watchdog/adapters/seed-client/undici-kube-client.ts';
import { systemClock as clock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Reach, RealApiServer } from '../../real/api-server.ts';

type StreamParts = Readonly<{
  client: KubeClient;
  clock: Clock;
  chance: Chance;
  notice: (notice: StreamNotice) => void;
}>;

/** A user of a real seed. */
type SeedUser = Readonly<{ reach: Reach; token: string }>;

/** Works with the program's own client of a seed, without a rate limit. */
export async function asUser<Value>(
  { reach: { url: server, ca }, token }: SeedUser,
  work: (client: KubeClient) => Promise<Value>,
  onRequest: (seen: RequestSeen) => void = () => undefined,
): Promise<Value> {
  const read = () => Promise.resolve({ server, headers: { authorization: `Bearer ${token}` }, tls: { ca } });
  const connection = new SeedConnection({ origin: 'a test', read }, clock);
  const limit = new RateLimit(clock, 'unlimited');
  try {
    return await work(new UndiciKubeClient({ connection, clock, limit, userAgent: 'test', onRequest }));
  } finally {
    await connection.close();
  }
}

/**
 * Whether one stream of the program comes to be watched: undefined once its watch is open, and what the operator is told where it
 * is refused. `stream` begins with the resource, as notices name it.
 */
export function refusalOfStream(
  user: SeedUser,
  stream: string,
  start: (parts: StreamParts) => Observable<unknown>,
): Promise<string | undefined> {
  const [resource] = stream.split('/');
  const { promise: settled, resolve: settle } = Promise.withResolvers<string | undefined>();
  const notice = (told: StreamNotice): void => {
    if (told.stream === stream && told.kind === 'out' && told.refused) settle(told.problem);
  };
  const follow = async (client: KubeClient): Promise<string | undefined> => {
    const running = start({ client, clock, chance: seededChance(1), notice }).subscribe();
    return settled.finally(() => running.unsubscribe());
  };
  return asUser(user, follow, (seen) => {
    if (seen.verb === 'watch' && seen.resource === resource && seen.code === '200') settle(undefined);
  });
}

const group = 'rbac.authorization.k8s.io';
export const rbac: string = `/apis/${group}/v1`;

/** Gives a user a ClusterRole, by a binding of the user's name unless it has another one. One that is there stays. */
export async function bindRole(server: RealApiServer, role: string, user: string, name = user): Promise<void> {
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  };
  await server.call('POST', `${rbac}/clusterrolebindings`, binding, [409]);
}
