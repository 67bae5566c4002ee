import { invalid } from './failure.ts';
import type { Form } from './form.ts';
import {
  group,
  optionalText,
  optionalWord,
  type Params,
  refuseUnknown,
  requiredGroup,
  requiredText,
  requiredWhole,
} from './params.ts';
import { isColumn } from './settlement-text.ts';

export const reportType = 'balance_change_from_activity.itemized.3';

export type ReportParams = {
  interval_start: number;
  interval_end: number;
  /** Empty if the caller requested no columns. */
  columns: string[];
  currency: string | null;
  reporting_category: string | null;
};

/** Reads the parameters of a report run; throws the provider's error if one is invalid. */
export function readReportParams(form: Form, availableUntil: number | null): ReportParams {
  const params: Params = { form, at: '' };
  refuseUnknown(params, ['report_type', 'parameters', 'expand']);
  if (requiredText(params, 'report_type', 200) !== reportType) {
    throw invalid(`The sandbox writes ${reportType} only.`, 'report_type');
  }
  const run = requiredGroup(params, 'parameters');
  refuseUnknown(run, [
    ...['columns', 'currency', 'interval_end', 'interval_start', 'reporting_category', 'timezone'],
  ]);
  optionalWord(run, 'timezone', ['Etc/UTC', 'UTC']);
  const [start, end] = [requiredWhole(run, 'interval_start'), requiredWhole(run, 'interval_end')];
  if (start >= end) {
    throw invalid('`interval_start` must be before `interval_end`.', 'parameters[interval_start]');
  }
  if (availableUntil !== null && end > availableUntil) {
    throw invalid(
      `\`interval_end\` must not be after data_available_end (${availableUntil}).`,
      'parameters[interval_end]',
    );
  }
  return {
    interval_start: start,
    interval_end: end,
    columns: readColumns(run),
    currency: optionalText(run, 'currency', 3)?.toLowerCase() ?? null,
    reporting_category: optionalText(run, 'reporting_category', 100),
  };
}

function readColumns(run: Params): string[] {
  const list = group(run, 'columns');
  if (list === null) return [];
  const columns = Object.keys(list.form).map((key) => requiredText(list, key, 200));
  const [unknown] = columns.filter((column) => !isColumn(column));
  if (unknown === undefined) return columns;
  throw invalid(`Invalid column for ${reportType}: ${unknown}`, list.at);
}
