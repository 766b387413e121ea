import { createLog, type Log } from '../../adapters/record/log/log.ts';
import type { Build } from '../build.ts';
import { lastWords } from '../end-process.ts';
import { actUntil } from './act-on-seed.ts';
import { observeRole, type Observed } from './observe-role.ts';
import { openServers, type Listening } from './open-servers.ts';
import { roleLines } from './role-lines.ts';
import type { RoleOrders } from './role-orders.ts';
import type { Role } from './role.ts';
import { machine, type Surroundings } from './surroundings.ts';

/** Where somebody else runs a role within a process of theirs. */
export type Heard = Readonly<{
  /** Makes another line of the log of each, before it waits for the output. */
  line?: ((line: string) => string) | undefined;
  /** Takes what would be logged, and no line is written. */
  log?: Log | undefined;
  /** Puts itself before what observes the role. */
  observed?: (own: Observed) => Observed;
}>;

/** A role with its log, its observers and its addresses. Nothing runs, and nothing is served, until it is told to. */
export function roleProcess<Config>(
  role: Role<Config>,
  orders: RoleOrders<Config>,
  build: Build,
  surroundings: Surroundings,
  { line: heard = (line) => line, log: given, observed: before = (own) => own }: Heard = {},
) {
  const { flags, config, credentials } = orders;
  const { clock, steady, disk } = surroundings;
  const lines = roleLines(surroundings);
  const log = given ?? createLog({ level: flags.logLevel, clock, write: (line) => lines.write(heard(line)) });
  const own = observeRole(role, {
    config,
    log,
    build,
    journalDir: flags.journalDir,
    inspected: flags.inspectorAddress !== undefined,
    server: () => credentials.server,
    lines,
    ...surroundings,
  });
  const observed = before(own);
  // The machine's own disk takes the machine's own time.
  const pace = disk === undefined ? machine.steady : steady;
  const closeJournal = () => observed.journal.close(pace.wakeAt(pace.now() + lastWords));
  let listening: Listening | undefined;
  return {
    log,
    lines,
    observed,
    /** Listens wherever the flags say. Rejects with AddressUnusable. */
    async serve(): Promise<Listening> {
      listening = await openServers(flags, { ...observed, clock, log });
      return listening;
    },
    /** Acts on the seed until a signal comes, or it ends by itself. Resolves to why, once all is written and closed. */
    async act(signal: Promise<string>): Promise<string> {
      const why = await actUntil(role, orders, { observed, log, version: build.version, signal }, surroundings);
      if (listening !== undefined) await listening.close();
      await closeJournal();
      await lines.flushed(lastWords);
      return why;
    },
    closeJournal,
  };
}
