Feature: One engine for one in-memory database

  An in-memory database lives in its engine: two engines for one URL are two
  databases. Report #3950 tells how they come about. A unit of work and the
  migration runner ask for the same URL at the same time, each finds no engine,
  and each makes one. The migrations then make their schema where the unit of
  work never looks.

  Scenario Outline: R1, the first two callers of an engine cache, <version>
    Given an engine cache, <version>
    When a unit of work and the migration runner ask for the same in-memory database, in many orders
    Then both hold the same engine, and the schema made through one is visible through the other

    @tdd_issue @tdd_issue_3950 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_3950
    Examples: kept
      | version      |
      | as suggested |
      | ours         |
