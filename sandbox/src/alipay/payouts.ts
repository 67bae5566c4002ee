import { type FlowWords, flowsIn } from '../platform/flows.ts';
import { newFlowId } from './ids.ts';

export const flowWords: FlowWords = {
  fee: '收费',
  feeBack: '退费',
  generalFee: '收费',
  payout: '提现',
  payin: '充值',
  payoutReturned: '提现退回',
};

export const { bookFee, chargeFee, payOut, returnPayout } = flowsIn({
  words: flowWords,
  newId: newFlowId,
});
