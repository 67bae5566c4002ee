import { RefundReason } from '@pointgate/contract/orders.ts';

export const usage = `Usage: npm run operate -- <command>

  help                                      this

  cases                                     what somebody has to look at
  case <caseId>                             one of them, whole
  resolve <caseId> --by <name> --note <what was done>
  refund <paymentId> --by <name> --reason <reason>
         [--amount <smallest units>]        all that is left without it; needs --refund-id
         [--capture <captureId>]            money that does not fit its order
         [--refund-id <uuid>]               the same id twice is one refund
  resend <paymentId> --by <name>
  record-refund <paymentId> --reference <the provider's id> --by <name>
                                            one that was made on the provider's own pages; it has to be
                                            proven by the provider's answer or its daily file
  reconcile <contract> <day, as 2026-11-14>
  import-person <accountId> --by <name>     real-name data, as JSON on standard input
  show-person <accountId> --by <name>       real-name data, masked
  find-person --by <name>                   by phone or identityNumber, as JSON on standard input
  shred-person <accountId> --by <name>      nobody can read it any more, in no copy
  forget-passkeys <accountId> --by <name>   of a player who has lost all devices
  account <accountId>                       what was done to it, by whom and why
  suspend <accountId> --by <name> --reason <why>
                                            nobody is signed in any more, and nobody can sign in; what was
                                            bought is delivered
  reinstate <accountId> --by <name> --reason <why>
  sign-out <accountId> --by <name> --reason <why>
                                            on all sites; the player can sign in again
  export-account <accountId> --by <name>    all that is kept of it, real-name data in full, as one JSON object
  erase-account <accountId> --by <name> --reason <why>
                                            whose it was; what was bought stays in the books, as nobody's
  import-bulletin --by <name>               a draft or a change, as JSON on standard input
  import-bulletins --by <name>              a list of them, all or none
  publish <bulletinId>... --by <name>       drafts, or what was withdrawn, all or none
  withdraw <bulletinId>... --by <name>
  import-page --by <name>                   another text of a page, as JSON on standard input
  withdraw-page <siteId> <pageId> --by <name>
  load-prices                               as JSON on standard input, all of them or none
  check-prices                              what no player could ever pay of all that is for sale
  methods                                   what sites offer, through which contracts, what is off or
                                            failing, and since when
  method-off <method> --by <name> --reason <why> [--site <siteId>]
                                            nothing begins with it from now on; what has begun goes on
  method-on <method> --by <name> --reason <why> [--site <siteId>]
  site-contract <siteId> <method> <contract, or default> --by <name> --reason <why>
                                            what begins from now on is paid into that account
  servers                                   of all games: the status of each, who changed it last, and why
  server-maintenance <gameId> <serverId> --by <name> --reason <why>
                                            from now on nobody can top up there, and paid orders wait
  server-open <gameId> <serverId> --by <name> --reason <why>
  load-promotions                           gift rules and rebate campaigns, as JSON on standard input,
                                            all of them or none
  list-promotions                           as they can be loaded again
  load-coupons --by <name>                  templates, as JSON on standard input, all or none
  issue-coupons <templateId> --by <name> --key <name of this handout>
                                            to a JSON list of account ids or login names on
                                            standard input; the same key gives nobody a second one
  list-coupons                              templates, and how many of each are out
  make-codes --by <name>                    a batch by its terms, as JSON on standard input; the codes
                                            are the output, once, and work when it has ended well
  import-codes --by <name> --file <codes>   a batch of codes made elsewhere, one a line, all or none
  stop-codes <batch> --by <name>            they have expired from now on
  list-codes                                batches, and how often they were used
  rotate-person-keys                        then the older key may leave the configuration
  funnel <siteId> <day>                     from arrival to fulfilled, counted anew
  export-events [--after <position>]        what browsers told, one JSON object a line; the
                                            position of the last one is where to go on
                [--amount <how many>]       100000 without it

  archive <month, as 2025-01> --folder <where to> --by <name>
                                            writes all orders of that month to files and takes them out
                                            of the shop; interrupted, the same command goes on
  restore <month> --folder <where from> --by <name>
                                            puts them back
  archives                                  what was archived, when, by whom, and where it is

  audit --by <name> [--database <address>]  whether all tables are in order; of a replica, or as a user who
                                            may only read, with the address of another database
        [--month <as 2026-10>]...           only orders of these months, and their settlement
        [--ask-games]                       compares with what the games in GAMES_WITH_LIST say that they gave
        [--ask-providers]                   compares with what Stripe and PayPal say that they took and gave back
                                            ends with 0 if all is in order, with 1 if it is not, with 2 if
                                            it could not be read or somebody could not be asked
  audits                                    what was found, the last one first

  report --month <month> [--folder <where to>]
                                            the books of a month as CSV files; in report-<month> without a folder

Reasons: ${Object.values(RefundReason.def.entries).join(', ')}
`;
