import { serviceOf, type ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import type { WeederState } from '../../machines/weeder-language.ts';
import { counted } from '../words/plain-words.ts';
import { countsSentence, tally, type Roll, type RollLine } from './roll.ts';
import { serviceWords } from './weeder-sentences.ts';

/** How a service stands: by the name of the log's field, and in words that complete "so many services are …". */
const standings = {
  settled: { field: 'available', words: 'available' },
  recovering: { field: 'open', words: 'with an open window' },
  relapsed: { field: 'downAgain', words: 'down again within its window' },
  down: { field: 'down', words: 'down' },
} as const satisfies Record<WeederState, Readonly<{ field: string; words: string }>>;

/** The weeder's services. */
export function weederRoll(): Roll<WeederTurn> {
  const services = new Map<ServiceKey, WeederState>();
  const met = new Set<ServiceKey>();
  let foundDown = 0;

  return { take, found, standing, left };

  function take({ subject: service, event, to }: WeederTurn): RollLine | undefined {
    if (event.type === 'ended' && event.because === 'gone') {
      services.delete(service);
      met.delete(service);
      return undefined;
    }
    services.set(service, to);
    // Until it has seen the slices, a machine does not know whether its service is down.
    if (event.type !== 'slices.changed' || met.has(service)) return undefined;
    met.add(service);
    if (to !== 'down') return undefined;
    foundDown += 1;
    const message = `${serviceWords(service)} was found down: no pod is deleted until it is available`;
    return { message, fields: { line: 'found down', ...serviceOf(service) } };
  }

  function found(): RollLine | undefined {
    if (services.size === 0) return undefined;
    const of = counted(services.size, 'service');
    const message = foundDown === 0 ? `${of}: none was found down` : `${of}: ${foundDown} found down`;
    return { message, fields: { line: 'found', services: services.size, foundDown } };
  }

  function standing(): RollLine | undefined {
    if (services.size === 0) return undefined;
    const named = Object.values(standings);
    const all = [...services].map(([service, state]) => [service, standings[state].field] as const);
    const fields = named.map(({ field }) => field);
    const { counts, which } = tally(fields, ['available'], all);
    const message = countsSentence(
      counted(services.size, 'service'),
      named.map(({ field, words }) => [counts[field], words]),
    );
    return { message, fields: { line: 'roll call', services: services.size, ...counts, ...which } };
  }

  function left(named: number): ReturnType<Roll<WeederTurn>['left']> {
    if (services.size === 0) return { each: [], all: undefined };
    const open = [...services].filter(([, state]) => state === 'recovering' || state === 'relapsed');
    const { length } = open;
    const fields = { line: 'left', services: length };
    if (length === 0) return { each: [], all: { message: 'no window is open', fields } };
    const names = open.slice(0, named).map(([service]) => serviceWords(service));
    const more = length > named ? ` and ${length - named} more` : '';
    const which = `${length === 1 ? 'the window' : `${length} windows`} of ${names.join(', ')}${more}`;
    const message = `${which} ${length === 1 ? 'ends' : 'end'} with this process; the weeder that leads next begins ${length === 1 ? 'it' : 'them'} anew`;
    return { each: [], all: { message, fields } };
  }
}
