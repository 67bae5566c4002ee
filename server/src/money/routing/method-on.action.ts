import { operatorAction } from '../../platform/operator-action.ts';
import { Switched, stateOfMethod, turnSwitch } from './method-switches.ts';

export const action = operatorAction({
  name: 'method-on',
  summary: 'Switches a payment method on again.',
  examples: [
    'method-on card --by ines --reason "outage at the bank"',
    'method-on card --site solmere --by ines --reason test',
  ],
  permission: 'methods.switch',
  input: Switched,
  positionals: ['method'],
  needsReason: true,
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, switched, { by, reason, at }) =>
    await turnSwitch(tx, switched, { isOn: true, by, reason, at }),
  answer: async (parts, switched) => await stateOfMethod(parts, switched),
});
