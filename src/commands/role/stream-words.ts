type Named = Readonly<{ stream: string; of?: string | undefined }>;

/** `clusters, secrets and 3 dependants`: many streams in few words. A dependant that is alone has its name. */
export function streamWords(streams: readonly Named[]): string {
  const own = streams.filter(({ of }) => of === undefined).map(({ stream }) => stream);
  const many = streams.filter(({ of }) => of !== undefined);
  const dependants = own.filter((name) => name.includes('/') && !name.startsWith('secrets/'));
  const parts = [
    ...own.filter((name) => !dependants.includes(name)).map((name) => name.replace(/\/.*/, '')),
    ...(dependants.length > 1 ? [`${dependants.length} dependants`] : dependants),
    ...[...new Set(many.map(({ stream }) => stream))].map((name) =>
      manyWords(many.filter((one) => one.stream === name)),
    ),
  ];
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function manyWords(all: readonly Named[]): string {
  const [{ stream, of } = { stream: '' }] = all;
  return all.length === 1 ? `${stream} of ${of}` : `${stream} (${all.length} watches)`;
}
