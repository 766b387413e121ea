import { counted, instantText } from '../../adapters/words/plain-words.ts';
import { documentText } from '../document.ts';
import { lineText, piece, tableLines, wrappedLines, type Piece } from '../terminal/painted-line.ts';
import { leaderLine } from './leader-line.ts';
import type { LoopingPod, ServiceStatus, WeederStatus } from './weeder-look.ts';

/** So many pods of a service are named in the table; `wide` names all. */
const mostNamed = 3;
/** As in the log (SPEC 7.7). */
const mostUnselectedNamed = 10;

/** The weeder's services as a table, with who leads above it. `width`: of the terminal. */
export function weederLines(
  status: WeederStatus,
  { wide, noHeaders, width, colours }: Readonly<{ wide: boolean; noHeaders: boolean; width: number; colours: boolean }>,
): readonly string[] {
  const { services, leader, at } = status;
  const head = ['NAMESPACE', 'SERVICE', 'STATE', 'READY', 'CRASH-LOOPING'].map((title) => piece(title, 'bold'));
  const rows = services.map((one): readonly Piece[] => [
    piece(one.namespace),
    piece(one.service),
    one.ready > 0 ? piece('available') : piece('not available', 'bad'),
    piece(`${one.ready}/${one.endpoints}`),
    loopingCell(one, wide),
  ]);
  const [titles = [], ...told] = tableLines([head, ...rows], width);
  const table = noHeaders ? told.flat() : rows.length === 0 ? [] : [...titles, ...told.flat(), []];
  const words = (text: string) => wrappedLines(text, width);
  const [above, below] = noHeaders
    ? [[], []]
    : [
        [...words(leaderLine(leader, 'weeder', at)), []],
        [summaryLine(services), ...unselectedLines(status, wide)].flatMap(words),
      ];
  return [...above, ...table, ...below].map((line) => lineText(line, Infinity, colours));
}

function loopingCell({ crashLooping }: ServiceStatus, wide: boolean): Piece {
  if (crashLooping.length === 0) return piece('-', 'dim');
  return piece(podNames(crashLooping, wide ? Infinity : mostNamed), 'warning');
}

function podNames(pods: readonly LoopingPod[], most: number): string {
  const named = pods.slice(0, most).map(({ name }) => name);
  const more = pods.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function unselectedLines({ unselected = [] }: WeederStatus, wide: boolean): readonly string[] {
  if (unselected.length === 0) return [];
  const names = podNames(unselected, wide ? Infinity : mostUnselectedNamed);
  return [`${counted(unselected.length, 'crash-looping pod')} that no selector picks: ${names}`];
}

/** `6 services: 1 not available, 5 available; 3 dependants crash-loop`. */
function summaryLine(services: readonly ServiceStatus[]): string {
  const down = services.filter(({ ready }) => ready === 0).length;
  const parts = [
    ...(down === 0 ? [] : [`${down} not available`]),
    ...(down === services.length ? [] : [`${services.length - down} available`]),
  ];
  const pods = new Set(
    services.flatMap(({ namespace, crashLooping }) => crashLooping.map(({ name }) => `${namespace}/${name}`)),
  );
  const looping =
    pods.size === 0
      ? 'no dependant crash-loops'
      : `${counted(pods.size, 'dependant')} ${pods.size === 1 ? 'crash-loops' : 'crash-loop'}`;
  return `${counted(services.length, 'service')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}; ${looping}`;
}

/** The same for programs. */
export function weederDocument(
  { at, server, leader, services, unselected }: WeederStatus,
  form: 'json' | 'yaml',
): string {
  const document = {
    status: 1,
    at: instantText(at),
    seed: server,
    leader: leader.is === 'led' ? { ...leader, renewedAt: instantText(leader.renewedAt) } : leader,
    services: services.map(({ ready, crashLooping, ...one }) => ({
      ...one,
      ready,
      available: ready > 0,
      crashLooping: crashLooping.map(asJson),
    })),
    ...(unselected === undefined ? {} : { unselected: unselected.map(asJson) }),
  };
  return documentText(document, form);
}

function asJson({ name, waits }: LoopingPod) {
  return { pod: name, containers: waits.containers };
}
