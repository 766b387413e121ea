import type { Node } from 'oxc-parser';
import { lineAt, walk, type Source } from '../source.ts';
import { importsOf } from './imports.ts';

/** What a program gets from outside unasked: `world` is the process, its output and the network; `later` is whatever goes on after a return. */
export type GuestKind = 'clock' | 'timer' | 'chance' | 'later' | 'world';

/** One use of a guest, `what` as it is written. */
export type Guest = Readonly<{ kind: GuestKind; what: string; line: number }>;

const globals: Readonly<Record<string, GuestKind>> = {
  performance: 'clock',
  Temporal: 'clock',
  setTimeout: 'timer',
  setInterval: 'timer',
  setImmediate: 'later',
  queueMicrotask: 'later',
  Promise: 'later',
  crypto: 'chance',
  process: 'world',
  console: 'world',
  fetch: 'world',
};

const members: Readonly<Record<string, GuestKind>> = {
  'process.hrtime': 'clock',
  'process.uptime': 'clock',
  'AbortSignal.timeout': 'timer',
  'Math.random': 'chance',
};

const imported: Readonly<Record<string, GuestKind>> = {
  'node:timers': 'timer',
  'node:timers/promises': 'timer',
  'node:perf_hooks performance': 'clock',
};

/** RxJS measures these by the wall clock unless told otherwise; time comes from the Clock port. */
const rxjsTimers: ReadonlySet<string> = new Set(
  `asapScheduler asyncScheduler animationFrameScheduler auditTime bufferTime debounceTime delay interval
   sampleTime throttleTime timeInterval timeout timer timestamp windowTime`.split(/\s+/),
);

/** Every use of a clock, a timer, chance and the like. Types, comments and texts use nothing. */
export function guestsOf(source: Source): readonly Guest[] {
  const found: Guest[] = [];
  walk(source.program, (node, parents) => {
    if (isType(node) || node.type === 'ImportDeclaration') return 'leave';
    const guest = guestAt(node, parents);
    if (guest) found.push({ kind: guest[0], what: guest[1], line: lineAt(source.text, node.start) });
    return 'enter';
  });
  for (const { specifier, names, line } of importsOf(source)) {
    const whole = imported[specifier] ?? imported[`node:${specifier}`];
    if (whole) found.push({ kind: whole, what: specifier, line });
    for (const name of names) {
      const kind =
        imported[`${specifier} ${name}`] ??
        (/^rxjs(?:\/|$)/.test(specifier) && rxjsTimers.has(name) ? 'timer' : undefined);
      if (kind) found.push({ kind, what: `${name} of ${specifier}`, line });
    }
  }
  return found;
}

function guestAt(node: Node, parents: readonly Node[]): readonly [GuestKind, string] | undefined {
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return ['later', 'await'];
  if (
    (node.type === 'ArrowFunctionExpression' ||
      node.type === 'FunctionExpression' ||
      node.type === 'FunctionDeclaration') &&
    node.async
  )
    return ['later', 'async'];
  if (node.type !== 'Identifier') return undefined;

  const parent = parents.at(-1);
  if (parent && isOnlyAName(node, parent)) return undefined;
  const member = parent?.type === 'MemberExpression' && parent.object === node ? memberName(parent) : undefined;
  if (node.name === 'globalThis' && member !== undefined && member in globals)
    return [globals[member] ?? 'world', `globalThis.${member}`];
  if (node.name === 'Date')
    return dateIsHarmless(node, parent, member) ? undefined : ['clock', member ? `Date.${member}` : 'Date'];
  if (node.name === 'Math') return member === undefined ? ['chance', 'Math'] : kindNamed(members, `Math.${member}`);
  return kindNamed(members, `${node.name}.${member}`) ?? kindNamed(globals, node.name);
}

/** `Date.parse(…)`, `Date.UTC(…)`, `new Date(at)` and `instanceof Date` compute; everything else can tell the time. */
function dateIsHarmless(node: Node, parent: Node | undefined, member: string | undefined): boolean {
  if (parent?.type === 'NewExpression') return parent.callee === node && parent.arguments.length > 0;
  if (parent?.type === 'BinaryExpression') return parent.operator === 'instanceof';
  return member === 'parse' || member === 'UTC';
}

function kindNamed(table: Readonly<Record<string, GuestKind>>, name: string): readonly [GuestKind, string] | undefined {
  const kind = Object.hasOwn(table, name) ? table[name] : undefined;
  return kind && [kind, name];
}

function memberName(node: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  if (node.property.type === 'Identifier' && !node.computed) return node.property.name;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : undefined;
}

/** The name of a property or method, which means no variable. */
function isOnlyAName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  if (parent.type === 'Property' || parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition')
    return parent.key === node && !parent.computed;
  return false;
}

function isType(node: Node): boolean {
  return /^TS(?:Type(?!Assertion)|Interface|.*Type$|.*Keyword$)/.test(node.type);
}
