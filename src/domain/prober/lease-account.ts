import type { Millis, Instant } from '../time.ts';
import { judgeNodes, type LeftOut, type Look } from './candidates.ts';
import type { NodeLease } from './node-lease.ts';
import { isExpired } from './verdict.ts';

/** The first of some, and how many there are. */
export type FirstOf<One> = Readonly<{ count: number; first: readonly One[] }>;

/** A node, and for how long it has not renewed its lease. */
export type SilentNode = Readonly<{ node: string; silent: Millis }>;

/** Which nodes a look left out, with the reasons, and which have no lease at all (SPEC 5.2, 9.4). */
export type LookAccount = Readonly<{
  leftOut: FirstOf<Readonly<{ node: string }> & LeftOut>;
  withoutLease: FirstOf<string>;
}>;

/** Which leases speak for a verdict (SPEC 9.4), for those who read turns. It decides nothing. */
export type LeaseAccount = Readonly<{ expired: FirstOf<SilentNode> }> & Partial<LookAccount>;

/** Enough to see what they have in common; a shoot may have thousands. */
const mostNamed = 10;

/** Kubernetes takes 253 characters. A shoot's owner may choose the names of nodes, and a line holds some thirty of them. */
const longestShown = 63;

/** The expired leases that count, those that have been silent for longest first. `excluded`: the nodes that a look left out. */
export function accountExpired(
  leases: readonly NodeLease[],
  excluded: readonly string[],
  { askedAt, grace }: Readonly<{ askedAt: Instant; grace: Millis }>,
): FirstOf<SilentNode> {
  const left = new Set(excluded);
  const silent: SilentNode[] = [];
  for (const lease of leases)
    if (lease.renewedAt !== null && isExpired(lease, askedAt, grace) && !left.has(lease.node))
      silent.push({ node: shown(lease.node), silent: askedAt - lease.renewedAt });
  return firstOf(silent.toSorted((one, other) => other.silent - one.silent));
}

export function accountLook(leases: readonly NodeLease[], look: Look): LookAccount {
  const whyNot = judgeNodes(look);
  const nodes = new Map(look.nodes.map((node) => [node.name, node]));
  const leftOut: (Readonly<{ node: string }> & LeftOut)[] = [];
  for (const { node: name, renewedAt } of leases) {
    const node = nodes.get(name);
    const why: LeftOut | undefined = node === undefined ? { because: 'noNode' } : whyNot(node);
    if (why !== undefined) leftOut.push({ node: shown(name), ...why });
    else if (renewedAt === null) leftOut.push({ node: shown(name), because: 'noRenewTime' });
  }
  const leased = new Set(leases.map(({ node }) => node));
  const withoutLease = look.nodes.filter(({ name }) => !leased.has(name)).map(({ name }) => shown(name));
  return { leftOut: firstOf(leftOut), withoutLease: firstOf(withoutLease) };
}

function firstOf<One>(all: readonly One[]): FirstOf<One> {
  return { count: all.length, first: all.slice(0, mostNamed) };
}

function shown(name: string): string {
  return name.length > longestShown ? `${name.slice(0, longestShown)}…` : name;
}
