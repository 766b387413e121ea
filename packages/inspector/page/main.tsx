import { render } from 'preact';
import { App } from './app.tsx';
import { connect } from './client/inspector-client.ts';

// The frame brings landmarks of its own, so nothing of the shell stays around it.
render(<App />, document.body.appendChild(document.createElement('div')));
document.querySelector('body > main')?.remove();
connect();
