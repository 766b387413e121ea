import { options, render, type ComponentChildren, type VNode } from 'preact';
import { unparted } from './format/texts.ts';
import { App } from './app.tsx';
import { connect } from './client/inspector-client.ts';

// Whatever text is drawn, wherever its words come from: but for what is copied as it is.
options.vnode = ({ type, props }: VNode) => {
  if (typeof type === 'string' && type !== 'pre' && type !== 'code') props.children = withoutBreaks(props.children);
};

// The frame brings landmarks of its own, so nothing of the shell stays around it.
render(<App />, document.body.appendChild(document.createElement('div')));
document.querySelector('body > main')?.remove();
connect();

function withoutBreaks(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return unparted(children);
  return Array.isArray(children) ? children.map(withoutBreaks) : children;
}
