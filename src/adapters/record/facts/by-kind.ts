/** The kinds of machines that a table has entries for. */
export function kindsOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[];
}

/**
 * Calls `begin` once for each kind of machine in the table, and leads each turn to what that gave for its kind. `Turns` is a
 * map from each kind to the type of its turns.
 */
export function byKind<Turns, Result>(
  table: { readonly [Kind in keyof Turns]: unknown },
  begin: <Kind extends keyof Turns>(kind: Kind) => (turn: Turns[Kind]) => Result,
): (turn: Turns[keyof Turns]) => Result {
  const begun = new Map(kindsOf<{ readonly [Kind in keyof Turns]: unknown }>(table).map((kind) => [kind, begin(kind)]));
  return (turn) => {
    const kind = (turn as Readonly<{ kind: keyof Turns }>).kind;
    const one = begun.get(kind);
    if (one === undefined) throw new Error(`no machine is called ${String(kind)}`);
    return one(turn);
  };
}
