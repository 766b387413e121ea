/** Filters a view by text; the key f leads to it. */
export function TextFilter({ text, onText }: Readonly<{ text: string; onText: (text: string) => void }>) {
  return (
    <input
      data-filter
      type="search"
      placeholder="Filter by text  f"
      aria-label="Filter by text"
      aria-keyshortcuts="f"
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}
