import { firstValueFrom, fromEvent, map, merge, type Observable } from 'rxjs';
import { AddressUnusable } from '../../adapters/http/http-server.ts';
import { createLog } from '../../adapters/record/log/log.ts';
import { readBuild } from '../build.ts';
import type { CommandIo } from '../command.ts';
import { endProcess, lastWords } from '../end-process.ts';
import { endingSignals } from '../while-loading.ts';
import { warningSentence } from '../config-report.ts';
import { loggedConfig } from './logged-config.ts';
import type { Listening } from './open-servers.ts';
import type { RoleFlags } from './role-flags.ts';
import { roleLines } from './role-lines.ts';
import { readRoleOrders } from './role-orders.ts';
import { roleProcess } from './role-process.ts';
import type { Role } from './role.ts';
import { machine, type Surroundings } from './surroundings.ts';

/** Runs a role on a seed until a signal comes, the lead is lost, or the clock is set back (SPEC 1.2 to 1.4, 8, 9). Resolves to the exit code. */
export async function runRole<Config>(
  role: Role<Config>,
  flags: RoleFlags,
  io: CommandIo,
  surroundings: Surroundings = machine,
): Promise<number> {
  surroundings.heap?.works();
  // Heard from here on: one that came before its listener would end the process without a word, and a container's
  // first process would never get it.
  const signal = firstValueFrom(merge(...endingSignals.map(signalled)));
  // An exec plugin may take a minute. Nothing has begun that would have to be ended.
  const orders = await Promise.race([readRoleOrders(role, flags, io), signal]);
  if (typeof orders === 'number') return orders;

  if (typeof orders === 'string') {
    const lines = roleLines(surroundings);
    const log = createLog({ level: 'info', clock: surroundings.clock, write: (line) => lines.write(line) });
    log.info(`the ${role.name} ends: ${orders}`, { line: `the ${role.name} ends`, why: orders });
    await lines.flushed(lastWords);
    return 0;
  }
  const { config, credentials } = orders;
  const build = readBuild(io.env);
  const running = roleProcess(role, orders, build, surroundings);
  const { log, lines, observed } = running;
  let listening: Listening;
  try {
    listening = await running.serve();
  } catch (error) {
    if (!(error instanceof AddressUnusable)) throw error;
    io.err(`dependency-watchdog ${role.name}: ${error.message}`);
    return 1;
  }
  const settings = loggedConfig(config);
  log.info(`the ${role.name} starts`, {
    ...build,
    seed: credentials.origin,
    server: credentials.server,
    ports: listening.ports,
    ...(listening.link === undefined ? {} : { inspector: listening.link }),
    config: settings,
  });
  for (const notice of flags.notices) log.warn(notice);
  for (const warning of orders.credentialWarnings) log.warn(warning);
  for (const warning of orders.warnings) log.warn(`the configuration: ${warningSentence(warning)}`);

  // The one fault that no supervision can contain. The journal has what led to it.
  const endByBug = async (error: Error): Promise<never> => {
    try {
      observed.flush();
      log.error(`the ${role.name} ends by a bug: ${error.message}`, { line: `the ${role.name} ends by a bug`, error });
      observed.journal.leadEnded('a bug');
      await running.closeJournal();
      observed.roll.end();
      await lines.flushed(lastWords);
    } finally {
      endProcess(1);
    }
  };
  // The bug may come again before the journal is closed, and must not cut that short.
  let ends = false;
  process.on('uncaughtException', (error) => {
    if (!ends) void endByBug(error);
    ends = true;
  });

  const why = await running.act(signal);
  return why.startsWith('SIG') ? 0 : 1;
}

function signalled(signal: (typeof endingSignals)[number]): Observable<string> {
  return fromEvent(process, signal).pipe(map(() => signal));
}
