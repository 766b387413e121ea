import type { Outage } from './outage.ts';
import type { Generation } from './place.ts';
import type { TwinOutages } from './run-meltdown.ts';
import { type ColumnSum, marginOf, type Spread, type Sum } from './sum.ts';

const columns = [
  ['outage', 8],
  ['shoot', 16],
  ['path', 8],
  ['', 14],
  ['1st write', 11],
  ['kcm at 0', 10],
  ['gone', 9],
  ['a node marked', 15],
  ['margin', 9],
  ['marked', 10],
  ['back after', 11],
] as const;

/** From when the seconds of an outage count: when it could be known at the earliest. */
const beginnings: Readonly<Record<Generation, string>> = { leases: 'threshold', 'two-paths': 'break' };

/** `isPlayed`: kubelets and Machines are, so that twins renew at the same instants, and nobody replaces a Machine. */
export function headLines(generation: Generation, isPlayed = true): readonly string[] {
  const beginning = beginnings[generation];
  return [
    `Each line is an outage of a watched shoot and of its twin: ${isPlayed ? 'same phases, ' : ''}same cut, nobody watches. \`path\` is how the load balancer`,
    `before the kubelets failed. Columns up to \`margin\` are seconds after the ${beginning}; a mark in brackets would have come then, by what the`,
    'controller-manager had seen, had it lived; `margin` is from the end of its process until then; `back after` is seconds from the',
    'healing until all was as before.',
    '',
    `${' '.repeat(columns.reduce((sum, [, width]) => sum + width, 0))}unwatched twin`,
    row([
      ...columns.map(([title]) => title || beginning),
      `a node marked   marked    back after${isPlayed ? '' : '  Machines replaced'}`,
    ]),
  ];
}

/** A row under `headLines`, printed when both outages are over. */
export function outageLine({ number, watched, unwatched }: TwinOutages): string {
  const since = (at: number | undefined) => secondsCell(at === undefined ? undefined : at - watched.knowableAt);
  return row([
    String(number),
    watched.shoot,
    watched.fault,
    new Date(watched.knowableAt).toISOString().slice(11, 23),
    since(watched.firstWriteAt),
    since(watched.scaledAt),
    since(watched.goneAt),
    markWords(watched),
    secondsCell(marginOf(watched)),
    `${watched.marked} of ${watched.nodes}`,
    secondsCell(watched.backAfter, 0),
    unwatched === undefined
      ? ''
      : `${markWords(unwatched).padEnd(16)}${`${unwatched.marked} of ${unwatched.nodes}`.padEnd(10)}${secondsCell(unwatched.backAfter, 0).padEnd(12)}${unwatched.replaced ?? ''}`,
  ]);
}

/** A sentence for each thing that an outage left otherwise than it was, or that the machine was too slow for. */
export function troubleLines({ number, watched, unwatched }: TwinOutages): readonly string[] {
  return [watched, ...(unwatched === undefined ? [] : [unwatched])].flatMap((one, index) => {
    const where = `outage ${number}, ${index === 0 ? 'watched' : 'unwatched'}`;
    const missed = `${where}: ${one.missedRenewals} renewals failed that were not cut off`;
    return [...one.changes.map((change) => `${where}: ${change}`), ...(one.missedRenewals > 0 ? [missed] : [])];
  });
}

/** `why`: sentences that explain a figure which looks wrong. */
export function sumLines(
  { watched, unwatched, faults, failures }: Sum,
  generation: Generation,
  why?: string,
): readonly string[] {
  const beginning = beginnings[generation];
  const line = (title: string, of: (column: ColumnSum) => string) =>
    `${title.padEnd(62)}${of(watched).padEnd(26)}${of(unwatched)}`;
  return [
    line('', (one) => (one === watched ? 'watched' : 'unwatched')),
    line('outages', ({ outages }) => String(outages)),
    line('nodes marked', ({ marked, nodes }) => `${marked} of ${nodes}`),
    ...(watched.replaced === undefined
      ? []
      : [line('Machines replaced', ({ replaced = 0, nodes }) => `${replaced} of ${nodes}`)]),
    line('outages with a node marked / with all nodes marked', (one) => `${one.withMarks} / ${one.allMarked}`),
    line('everything back as it was', ({ outages, notBack }) => `${outages - notBack} of ${outages}`),
    '',
    line('seconds', () => 'least / median / worst'),
    line(`${beginning} to the first write`, ({ firstWrite }) => spread(firstWrite)),
    line(`${beginning} to kube-controller-manager at 0`, ({ scaled }) => spread(scaled)),
    line(`${beginning} to its process gone`, ({ gone }) => spread(gone)),
    line(`${beginning} to the first node marked`, ({ firstMark }) => spread(firstMark)),
    line('margin: process gone to the first node marked, had it lived', ({ margin }) => spread(margin)),
    line('a first mark that came, later than foretold by', ({ foretelling }) => spread(foretelling)),
    line('healing to the first dependant scaled up', ({ firstUp }) => spread(firstUp)),
    line('healing to the last dependant scaled up', ({ lastUp }) => spread(lastUp)),
    line('healing to everything as it was', ({ back }) => spread(back)),
    line('renewals that failed though not cut off', ({ missedRenewals }) => String(missedRenewals)),
    '',
    `${'watched, by how the path broke'.padEnd(62)}${`${beginning} to 0 replicas`.padEnd(26)}margin`,
    ...faults.map(
      ({ fault, outages, scaled, margin }) =>
        `${`${fault}, ${outages} of the outages`.padEnd(62)}${spread(scaled).padEnd(26)}${spread(margin)}`,
    ),
    '',
    ...(why === undefined ? [] : [why, '']),
    ...(failures.length === 0 ? [allWell(watched)] : failures),
  ];
}

function allWell({ replaced }: ColumnSum): string {
  const kept = replaced === undefined ? '' : ' no Machine of a watched shoot was replaced,';
  return `No watched node was marked,${kept} and everything came back.`;
}

function markWords({ markedAt, foretoldAt, knowableAt }: Outage): string {
  return markedAt === undefined ? `(${secondsCell(foretoldAt - knowableAt)})` : secondsCell(markedAt - knowableAt);
}

function spread(lengths: Spread): string {
  if (lengths === undefined) return '-';
  const { least, median, worst } = lengths;
  return [least, median, worst].map((one) => secondsCell(one)).join(' / ');
}

function secondsCell(length: number | undefined, digits = 3): string {
  return length === undefined ? '-' : (length / 1_000).toFixed(digits);
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(columns[index]?.[1] ?? 0))
    .join('')
    .trimEnd();
}
