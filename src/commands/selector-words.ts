import type { PodSelector } from '../domain/weeder/weeder-config.ts';

/** A selector as `selectorText` writes it, in plain words: `pods whose label role is a or b, and that have no label tier`. */
export function selectorWords(selector: PodSelector): string {
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
