type Snapshot = Readonly<{ context: unknown }>;
type Event = Readonly<{ type: string }>;

/** How generated paths tell states and events apart; given to `createTestModel` beside its filter. */
export const pathOptions = {
  // A step counts by where it comes from as well, so that each way out of each state is on some path.
  serializeState: (state: Snapshot, event: Event | undefined, before: Snapshot | undefined): string => {
    const via = event === undefined || before === undefined ? '' : ` by "${event.type}" from ${plain(before)}`;
    return `${plain(state)}${via}`;
  },
  serializeEvent: ({ type }: Event): string => type,
};

function plain({ context }: Snapshot): string {
  return JSON.stringify(context);
}
