import { instantText } from '../../adapters/words/plain-words.ts';
import { documentText } from '../document.ts';
import type { Dependant } from '../../domain/prober/dependant.ts';
import type { CommandIo } from '../command.ts';
import { clusterName } from '../seed-command.ts';
import { lineText, piece, wrappedLines, type PaintedLine } from '../terminal/painted-line.ts';
import { liveScreen, type LiveScreen, type Terminal } from '../terminal/terminal.ts';
import { leaderLines } from './leader-line.ts';
import { shootJson, statusJson, type SeedStatus } from './status-report.ts';
import { statusTable, summaryLine } from './status-table.ts';

type StatusForm = 'table' | 'wide' | 'name' | 'json' | 'yaml';

export type StatusOutput = Readonly<{
  show(status: SeedStatus): void;
  end(): void;
}>;

type OutputOptions = Readonly<{
  form: StatusForm;
  dependants: readonly Dependant[];
  io: CommandIo;
  terminal: Terminal | undefined;
  colours: boolean;
  watch: boolean;
  /** The rows alone. */
  noHeaders: boolean;
}>;

/** How a status is shown: once; or each that differs from the last, painted anew in a terminal and appended elsewhere. */
export function statusOutput(options: OutputOptions): StatusOutput {
  const { form, io, terminal, watch } = options;
  if (form === 'json' || form === 'yaml') return documents(form, io, watch);
  if (form === 'name') return names(io);
  if (watch && terminal !== undefined) return painted(options, terminal);
  return watch
    ? appended(options)
    : { show: (status) => lines(options, status).forEach((line) => io.out(line, 'ours')), end: () => undefined };
}

/** One document for each status that differs. JSON that goes on is one line each. */
function documents(form: 'json' | 'yaml', { out }: CommandIo, watch: boolean): StatusOutput {
  let last = '';
  return {
    show(status) {
      const { at: _at, ...told } = statusJson(status) as Readonly<Record<string, unknown>>;
      const text = JSON.stringify(told);
      if (text === last) return;
      const separator = form === 'json' || last === '' ? '' : '---\n';
      out(`${separator}${documentText(statusJson(status), form, watch ? 0 : 2)}`, 'ours');
      last = text;
    },
    end: () => undefined,
  };
}

/** Those of the shoots. Of a watch: each once. */
function names({ out }: CommandIo): StatusOutput {
  const told = new Set<string>();
  return {
    show: ({ shoots }) =>
      shoots.forEach(({ standing: { shoot } }) => {
        if (!told.has(shoot)) out(clusterName(shoot));
        told.add(shoot);
      }),
    end: () => undefined,
  };
}

/** The whole table first, then the head's sentence and the rows that changed, each with its instant. */
function appended(options: OutputOptions): StatusOutput {
  const { io, noHeaders } = options;
  let known: ReadonlyMap<string, string> | undefined;
  let leader = '';
  return {
    show(status) {
      const leads = leadKey(status);
      const now = new Map(status.shoots.map((one) => [one.standing.shoot, keyOf(one)]));
      if (known === undefined) lines(options, status).forEach((line) => io.out(line, 'ours'));
      else {
        const time = instantText(status.at);
        const changed = new Set(status.shoots.filter((one) => known?.get(one.standing.shoot) !== keyOf(one)));
        const { rows } = statusTable(status, options.dependants, { wide: options.form === 'wide', width: Infinity });
        if (leads !== leader && !noHeaders)
          for (const line of leaderLines(status, status.at)) io.out(`${time}  ${line}`);
        status.shoots.forEach((one, index) => {
          if (changed.has(one)) for (const row of rows[index] ?? []) io.out(`${time}  ${plain(row, options)}`, 'ours');
        });
        for (const shoot of known.keys()) if (!now.has(shoot)) io.out(`${time}  ${shoot}  gone`);
        if (!noHeaders && (changed.size > 0 || now.size < known.size)) io.out(`${time}  ${summaryLine(status)}`);
      }
      known = now;
      leader = leads;
    },
    end: () => undefined,
  };
}

/** What of the lead counts as a change: not when the Lease was renewed. */
function leadKey({ leader, prober }: SeedStatus): string {
  return JSON.stringify([leader.is, leader.is === 'led' && leader.holder, prober?.lead]);
}

/** What of a shoot counts as a change: not what the prober looks at next, nor what it counted. */
function keyOf({ standing }: SeedStatus['shoots'][number]): string {
  return JSON.stringify(shootJson({ standing }));
}

/** As many rows as the terminal has room for. */
function painted(options: OutputOptions, terminal: Terminal): StatusOutput {
  const screen: LiveScreen = liveScreen(terminal);
  return {
    show(status) {
      const { head, rows, ...around } = parts(options, status);
      const height = screen.room().rows - 1;
      const left = height - head.length - 1;
      // In a terminal so low that the sentences would leave no room, the rows stand alone.
      const { above, below } = around.above.length + around.below.length < left ? around : { above: [], below: [] };
      let room = Math.max(1, left - above.length - below.length);
      const count = rows.findIndex((row) => (room -= row.length) < 0);
      const shown =
        count === -1 ? rows : [...rows.slice(0, count), [[piece(`and ${rows.length - count} more`, 'dim')]]];
      screen.paint([...above, ...head, ...shown.flat(), ...below].slice(0, height));
    },
    end: () => screen.end(),
  };
}

function parts({ terminal, form, dependants, noHeaders }: OutputOptions, status: SeedStatus) {
  const width = terminal?.size().columns ?? Infinity;
  const table = statusTable(status, dependants, { wide: form === 'wide', width });
  if (noHeaders) return { above: [], head: [], rows: table.rows, below: [] };
  const leader = leaderLines(status, status.at).flatMap((line) => wrappedLines(line, width));
  return { ...table, above: [...leader, []], head: table.rows.length === 0 ? [] : table.head };
}

function lines(options: OutputOptions, status: SeedStatus): readonly string[] {
  const { above, head, rows, below } = parts(options, status);
  return [...above, ...head, ...rows.flat(), ...below].map((line) => plain(line, options));
}

function plain(line: PaintedLine, { colours }: OutputOptions): string {
  return lineText(line, Infinity, colours);
}
