import { writePath, type KeyPath } from '../domain/config/config-remark.ts';
import { writeGoDuration } from '../domain/go-duration.ts';
import type { PodSelector, WeederConfig } from '../domain/weeder/weeder-config.ts';
import { wrap } from './command.ts';

/** What a configuration means, in plain words for a terminal. A star marks what the operator left at its default. */
export function explainWeederConfig(config: WeederConfig, defaults: readonly KeyPath[]): string[] {
  const length = writeGoDuration(config.watchDuration);
  const star = defaults.map(writePath).includes('watchDuration') ? '*' : '';
  const sentences = [
    'A service is available while any of its endpoints is ready. When it becomes available again, its dependants in its ' +
      `namespace are looked after for ${length}.`,
    'A dependant that crash-loops in that time is deleted, so that it starts again at once. If the service ' +
      'goes and comes back, the time begins again. Nothing is deleted while it is not available.',
  ];
  return [
    'Settings',
    `  watchDuration  ${length}${star}`,
    '',
    'Weeding',
    ...sentences.flatMap((text) => wrap(text, 2)),
    '',
    'When it starts, or becomes the leader',
    ...wrap(
      `Every service that is available then has its ${length} too, so what crash-loops at that moment is deleted once. A ` +
        'standby follows the services and deletes nothing.',
      2,
    ),
    '',
    'Services, and the pods that depend on them',
    ...config.services.flatMap(({ name, podSelectors }) => [
      `  ${name}`,
      ...podSelectors.flatMap((selector) => wrap(selectorWords(selector), 6, 4)),
    ]),
    ...(star === '' ? [] : ['', '* the default, because the configuration does not set it']),
  ];
}

/** A selector as `selectorText` writes it, in plain words: `pods whose label role is a or b, and that have no label tier`. */
function selectorWords(selector: PodSelector): string {
  if (selector === '') return 'every pod of the namespace';
  // The commas between requirements, not those within parentheses.
  const clauses = selector.split(/,(?![^(]*\))/).map(requirementWords);
  return `pods ${clauses.join(', and ')}`;
}

function requirementWords(requirement: string): string {
  const { key, not, list, value } =
    /^(?<key>[^ =]+)(?: (?<not>not)?in \((?<list>.*)\)|=(?<value>.*))?$/.exec(requirement)?.groups ?? {};
  if (list !== undefined && not !== undefined)
    return `whose label ${key}, if there is one, is ${noneOf(valuesOf(list))}`;
  if (list !== undefined) return `whose label ${key} is ${valuesOf(list).join(' or ')}`;
  if (value !== undefined) return `whose label ${key} is ${shown(value)}`;
  return requirement.startsWith('!') ? `that have no label ${requirement.slice(1)}` : `that have a label ${key}`;
}

function valuesOf(list: string): readonly string[] {
  return list.split(',').map(shown);
}

function shown(value: string): string {
  return value === '' ? 'empty' : value;
}

function noneOf(values: readonly string[]): string {
  if (values.length === 1) return `not ${values[0]}`;
  return `neither ${values.join(' nor ')}`;
}
