import type { Completed, CompletedCommand } from './completed-commands.ts';

export function fishScript(commands: readonly CompletedCommand[]): string {
  const complete = 'complete -c dependency-watchdog';
  const lines = commands.flatMap(({ name, summary, flags, operand }) => {
    const within = `${complete} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `${complete} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(operand === 'nothing' || operand === 'text' ? [] : [`${within} ${taking(operand).replace('-x ', '')}`]),
      ...flags.map(({ names, help, value }) => {
        const written = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`));
        return [within, ...written, taking(value), `-d ${quoted(help)}`].filter((part) => part !== '').join(' ');
      }),
    ];
  });
  return [
    '# fish completion of dependency-watchdog; to load it: dependency-watchdog completion fish | source',
    `${complete} -f`,
    ...lines,
  ].join('\n');
}

/** `-x`: a value is needed, and is no file; `-F`: files after all. */
function taking(value: Completed): string {
  if (typeof value === 'object') return `-x -a '${value.join(' ')}'`;
  return { nothing: '', text: '-x', files: '-r -F', directories: "-x -a '(__fish_complete_directories)'" }[value];
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
