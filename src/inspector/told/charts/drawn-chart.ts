import type { Arrow } from './chart-model.ts';

/** `small`: without labels, for a place beside other things. */
export type DrawnChart = Readonly<{ large: readonly DrawnRegion[]; small: readonly DrawnRegion[] }>;

/** A region of a chart with its coordinates, in CSS pixels from its upper left corner. */
export type DrawnRegion = Readonly<{
  /** Empty for a machine without regions. */
  name: string;
  initial: string;
  width: number;
  height: number;
  states: readonly DrawnState[];
  /** Stands for all states, where the region itself listens. */
  anyState: Box | null;
  edges: readonly DrawnEdge[];
}>;

export type Point = readonly [x: number, y: number];

export type Box = Readonly<{ x: number; y: number; width: number; height: number }>;

export type DrawnState = Box & Readonly<{ name: string }>;

/** All transitions from one state to another: one line with several labels. */
export type DrawnEdge = Readonly<{
  path: readonly Point[];
  /** Around the labels; a small chart has none. */
  label?: Box;
  arrows: readonly Arrow[];
}>;
