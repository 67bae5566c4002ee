import { type FlowWords, flowsIn } from '../platform/flows.ts';
import { newFlowId } from './ids.ts';

export const flowWords: FlowWords = {
  fee: '扣除交易手续费',
  feeBack: '退回交易手续费',
  generalFee: '服务费',
  payout: '提现',
  payin: '充值',
  payoutReturned: '提现退票',
};

export const { bookFee, chargeFee, payOut, returnPayout } = flowsIn({
  words: flowWords,
  newId: newFlowId,
});
