import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { StoryEvent } from '../story/story.ts';
import { twinName, type NetworkModel, type ObservedShoot } from './network-model.ts';

/** The shoot's kube-controller-manager marked nodes as dead, at one look. */
export function markEvents(model: NetworkModel, at: Instant, shoot: ShootNamespace, nodes: readonly string[]) {
  const row = rowOf(model, shoot);
  if (row !== undefined) row.nodesMarked += nodes.length;
  const text = `kube-controller-manager marks ${fewWords(nodes, 'node')} as unreachable`;
  return oneEntry(at, shoot, text, 'marked', nodes);
}

/** The shoot's machine-controller-manager took the Machines of these nodes for dead. */
export function replaceEvents(model: NetworkModel, at: Instant, shoot: ShootNamespace, nodes: readonly string[]) {
  const row = rowOf(model, shoot);
  if (row !== undefined) row.machinesReplaced += nodes.length;
  const whose = nodes.length === 1 ? `the healthy machine of ${nodes[0]}` : counted(nodes.length, 'healthy machine');
  return oneEntry(at, shoot, `machine-controller-manager replaces ${whose}`, 'replaced', nodes);
}

function rowOf({ rows, twin }: NetworkModel, shoot: ShootNamespace): ObservedShoot | undefined {
  return rows.get(shoot) ?? (shoot === twinName ? (twin ?? undefined) : undefined);
}

function fewWords(names: readonly string[], noun: string): string {
  return names.length === 1 ? String(names[0]) : counted(names.length, noun);
}

/** For programs each node is an event of its own, and for people all of them are one. */
function oneEntry(
  at: Instant,
  shoot: ShootNamespace,
  text: string,
  kind: string,
  nodes: readonly string[],
): readonly StoryEvent[] {
  return nodes.map((node, index) => ({
    at,
    json: { kind, shoot, node },
    entries: index === 0 ? [{ at, shoot, text, tone: 'bad' }] : [],
  }));
}

/** What it comes to: ` Healthy machines replaced: 0 watched, 5 unwatched.` */
export function besideWords({ rows, twin }: Pick<NetworkModel, 'rows' | 'twin'>): string {
  if (twin === null) return '';
  const watched = [...rows.values()].reduce((sum, { machinesReplaced }) => sum + machinesReplaced, 0);
  return ` Healthy machines replaced: ${watched} watched, ${twin.machinesReplaced} unwatched.`;
}
