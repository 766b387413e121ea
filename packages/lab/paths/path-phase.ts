import type { Scaling } from '../meltdown/played-deployments.ts';

/** A part of the story of two paths: what was done, and what came of it. Instants and lengths in ms. */
export type PathPhase = Readonly<{
  title: string;
  from: number;
  lasted: number;
  /** Each change of a dependant's desired replicas, oldest first. */
  scalings: readonly Scaling[];
  /** Nodes that the kube-controller-manager marked as dead. */
  marks: readonly Readonly<{ node: string; at: number }>[];
}>;

/** The phase as lines for a terminal: seconds since it began, and what happened then. */
export function phaseLines({ title, from, lasted, scalings, marks }: PathPhase): readonly string[] {
  const told = [
    ...scalings.map(({ name, replicas, at }) => ({ at, words: `${name} is scaled to ${replicas}` })),
    ...marks.map(({ node, at }) => ({ at, words: `${node} is marked as dead` })),
  ].toSorted((one, other) => one.at - other.at);
  const nothing = scalings.length === 0 ? ['nothing was scaled'] : [];
  return [
    title,
    ...told.map(({ at, words }) => `${secondsOf(at - from)}  ${words}`),
    `${secondsOf(lasted)}  ${['over', ...nothing].join('; ')}`,
  ];
}

function secondsOf(length: number): string {
  return `${(length / 1_000).toFixed(1).padStart(8)} s`;
}
