import { Agenda } from '../../../src/simulator/store/agenda.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { createObject } from '../../../src/simulator/store/object-writes.ts';
import { carry } from '../../../src/simulator/memory/carry.ts';
import { answered, type Fate, type WatchFate } from '../../../src/simulator/memory/fate.ts';
import { MemoryNetwork } from '../../../src/simulator/memory/memory-network.ts';
import type { MemoryApiServer, MemoryRequest } from '../../../src/simulator/memory/memory-api-server.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export const list = '/api/v1/namespaces/garden/secrets';

/** A server in memory, and a client that sends one request at a time and notes what it is told. */
export async function stage() {
  const clock = new VirtualClock(1_000_000);
  const agenda = new Agenda(clock);
  const network = new MemoryNetwork();
  let draws = 0;
  const api = network.server({
    agenda,
    // Names must differ.
    chance: () => ((draws += 1) * 0.0137) % 1,
    certificates: await network.certificates(),
    kinds: Object.values(kinds),
  });
  await api.up();
  api.tokens.set('token', 'somebody');
  createObject(api.storage, kinds.namespace, { metadata: { name: 'garden' } });
  const told: (string | number)[] = [];
  return {
    api,
    network,
    told,
    names: () =>
      api.storage.store
        .of(kinds.secret)
        .list()
        .map(({ key }) => key),
    write: (name: string) => void createObject(api.storage, kinds.secret, { metadata: { name } }, 'garden'),
    pass: (length: number) => clock.advanceTo(clock.now() + length),
    async send({
      end = answered,
      watch = { lag: () => 1 },
      server = api,
      slow = 0,
      ...asked
    }: Partial<
      MemoryRequest & Pick<Fate, 'end'> & { watch: WatchFate; server: MemoryApiServer; slow: number }
    >): Promise<void> {
      carry({
        server,
        request: { method: 'GET', url: list, headers: { authorization: 'Bearer token' }, ...asked },
        fate: { connect: 0, there: 10 + slow, back: 10, ...(slow > 0 && { isSlow: true }), end },
        watch: () => watch,
        struck: (fault) => told.push(fault),
        agenda,
        deliver: (task) => task(),
        receiver: {
          sent: () => undefined,
          head: (status) => told.push(status),
          data: (chunk) => told.push(...eventsOf(chunk.toString())),
          end: () => told.push('end'),
          fail: (error) => told.push((error as NodeJS.ErrnoException).code ?? error.message),
        },
      });
      await clock.advanceTo(clock.now() + 5_000);
    },
  };
}

/** `MODIFIED a 7`; `data` for what is no event of a watch. */
function eventsOf(text: string): readonly string[] {
  if (!text.startsWith('{"type":')) return ['data'];
  const { type, object } = JSON.parse(text) as {
    type: string;
    object: { code?: number; metadata?: Record<string, string> };
  };
  const { name = '', resourceVersion = '' } = object.metadata ?? {};
  return [[type, name, resourceVersion, object.code ?? ''].filter((part) => part !== '').join(' ')];
}
