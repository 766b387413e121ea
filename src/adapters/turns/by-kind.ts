export function kindsOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[];
}

/** The compiler cannot follow that a turn's kind is one of the map's. */
export function kindOf<Told>({ kind }: Readonly<{ kind: unknown }>): keyof Told {
  return kind as keyof Told;
}

/**
 * Begins with each kind of machine in the table, and leads each turn to what was begun for its kind. `Told` gives, by
 * kind, what a turn of it is.
 */
export function byKind<Told, Result>(
  table: { readonly [Kind in keyof Told]: unknown },
  begin: <Kind extends keyof Told>(kind: Kind) => (turn: Told[Kind]) => Result,
): (turn: Told[keyof Told]) => Result {
  const begun = new Map(kindsOf<{ readonly [Kind in keyof Told]: unknown }>(table).map((kind) => [kind, begin(kind)]));
  return (turn) => {
    const kind = kindOf<Told>(turn as Readonly<{ kind: unknown }>);
    const one = begun.get(kind);
    if (one === undefined) throw new Error(`no machine is called ${String(kind)}`);
    return one(turn);
  };
}
