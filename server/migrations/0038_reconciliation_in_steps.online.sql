create index concurrently settlement_lines_of_a_day on settlement_lines (psp, day, line_id)
-- next
drop index concurrently settlement_lines_psp_day_idx
