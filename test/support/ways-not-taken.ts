type Path<Context> = Readonly<{
  /** The first is where it begins. */
  steps: readonly Readonly<{ state: Readonly<{ context: Context }>; event: Readonly<{ type: string }> }>[];
}>;

/** Counts the states, and names the ways out of them that are on no path. States are told apart by their context alone. */
export function waysNotTaken<Context>(
  reached: readonly Readonly<{ context: Context }>[],
  paths: readonly Path<Context>[],
  possible: (context: Context) => readonly string[],
): Readonly<{ states: number; ways: readonly string[] }> {
  const states = new Map(reached.map(({ context }) => [JSON.stringify(context), context]));
  const taken = new Set<string>();
  for (const { steps } of paths) {
    let at = JSON.stringify(steps[0]?.state.context);
    for (const { event, state } of steps) {
      taken.add(`${at} ${event.type}`);
      at = JSON.stringify(state.context);
    }
  }
  const ways = [...states].flatMap(([at, context]) => possible(context).map((type) => `${at} ${type}`));
  return { states: states.size, ways: ways.filter((way) => !taken.has(way)) };
}
