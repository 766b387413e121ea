import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';

/** What the model of every story has: the simulation so far, as a plain value. */
export type StoryModel<Phase, Row> = Readonly<{
  startedAt: Instant;
  /** The number of the outage, from 1, and when its part of the story began. */
  outage: number;
  beganAt: Instant;
  phase: Phase;
  phaseAt: Instant;
  rows: ReadonlyMap<ShootNamespace, Row>;
  /** How late this machine was at worst. */
  latest: Millis;
  /** What the story waited for and did not see. */
  missed: readonly string[];
}>;

/** What may be seen in every story. */
export type StoryRemark =
  /** The story waited for something that never came, and goes on. */
  | Readonly<{ type: 'missed'; at: Instant; what: string }>
  /** A message of the role that is in no turn. */
  | Readonly<{ type: 'remark'; at: Instant; text: string }>;

/** An observation, and the model before and after it. */
export type Seen<Model, Observation> = Readonly<{ before: Model; seen: Observation; after: Model }>;

/** The model at the start of the calm. */
export function firstStory<Row extends Readonly<{ shoot: ShootNamespace }>>(
  at: Instant,
  rows: readonly Row[],
): StoryModel<'calm', Row> {
  const begun = { startedAt: at, beganAt: at, outage: 1, phase: 'calm', phaseAt: at } as const;
  return { ...begun, rows: new Map(rows.map((row) => [row.shoot, row])), latest: 0, missed: [] };
}

/** The model at the beginning of another outage. It knows what `kept` takes over of each row, and nothing else of what happened before. */
export function anotherStory<Row, Model extends StoryModel<unknown, Row>>(
  { startedAt, outage, rows }: Model,
  fresh: Model,
  kept: (before: Row) => Partial<Row>,
): Model {
  const withKept = [...fresh.rows].map(([shoot, row]) => {
    const before = rows.get(shoot);
    return [shoot, before === undefined ? row : { ...row, ...kept(before) }] as const;
  });
  return { ...fresh, startedAt, outage: outage + 1, rows: new Map(withKept) };
}

/** Takes into account what may be seen in every story. */
export function withRemark<Model extends StoryModel<unknown, unknown>>(model: Model, seen: StoryRemark): Model {
  return seen.type === 'missed' ? { ...model, missed: [...model.missed, seen.what] } : model;
}

export function withRow<Row, Model>(
  model: Model & Readonly<{ rows: ReadonlyMap<ShootNamespace, Row> }>,
  shoot: ShootNamespace,
  change: (row: Row) => Row,
): Model {
  const row = model.rows.get(shoot);
  return row === undefined ? model : { ...model, rows: new Map(model.rows).set(shoot, change(row)) };
}
