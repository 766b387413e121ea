/** The kinds of machines that a table has entries for. */
export function kindsOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[];
}

/** A turn's kind as a key of the map that its kind is from, which the compiler cannot follow. */
export function kindOf<Told>({ kind }: Readonly<{ kind: unknown }>): keyof Told {
  return kind as keyof Told;
}

/**
 * Calls `begin` once for each kind of machine in the table, and leads each turn to what that gave for its kind. `Told` is a
 * map from each kind to the type of its turns.
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
