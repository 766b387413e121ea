/** Initials are shorter than a cell such as `2→0 (2)`. */
const mostInitials = 6;

/** `kube-controller-manager` becomes `kcm`. Equal initials get a number. */
export function initialsOf(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    // A kind before the name is shown only in the legend.
    const letters = [...name.replace(/^.*\//, '').matchAll(/[a-z0-9]+/gi)]
      .map(([word]) => word[0] ?? '')
      .join('')
      .slice(0, mostInitials);
    const count = (seen.get(letters) ?? 0) + 1;
    seen.set(letters, count);
    return count === 1 ? letters : `${letters}${count}`;
  });
}
