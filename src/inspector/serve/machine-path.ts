import type { MachineName } from './history.ts';

type MachinePath = MachineName & Readonly<{ what: 'turns' | 'events' }>;

/** `/shoots/NAME/turns`, `/services/NAMESPACE/NAME/events`; each name is one segment, in which `%2F` stands for a slash. */
export function machinePath(path: string): MachinePath | undefined {
  const [, room, names = '', what] = /^\/(shoots|services)\/(.+)\/(turns|events)$/.exec(path) ?? [];
  const segments = names.split('/').map(decoded);
  const [first, second] = segments;
  if ((what !== 'turns' && what !== 'events') || !first) return undefined;
  if (room === 'shoots' && segments.length === 1) return { kind: 'shoot', subject: first, what };
  if (room === 'services' && segments.length === 2 && second)
    return { kind: 'weeder', subject: `${first}/${second}`, what };
  return undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
