import { serviceOf, type ServiceKey } from '../../../domain/weeder/service-ref.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederState } from '../../../machines/weeder-language.ts';
import { foundLine, standingLine, type Roll, type RollLine } from './roll.ts';
import { serviceStandings } from '../words/standing-words.ts';
import { serviceWords } from './weeder-sentences.ts';

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
    return foundLine('service', services.size, [['foundDown', foundDown, 'found down']]);
  }

  function standing(): RollLine | undefined {
    const all = [...services].map(([service, state]) => [service, serviceStandings[state].field] as const);
    const named = Object.values(serviceStandings).map(({ field, words }) => [field, words] as const);
    return standingLine('service', named, ['available'], all);
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
