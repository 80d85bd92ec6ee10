Feature: One engine for one in-memory database

  An in-memory database lives in its engine: two engines for one URL are two
  databases. Report #3950 tells how they come about. A unit of work and the
  migration runner ask for the same URL at the same time, each finds no engine,
  and each makes one. The migrations then make their schema where the unit of
  work never looks.

  @R1
  Scenario Outline: R1, the first two callers of an engine cache, <version>
    Given an engine cache, <version>
    When two callers ask for the engine
    Then everybody holds the same engine
    And one engine was made

    @tdd_issue @tdd_issue_3950 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_3950
    Examples: kept
      | version      |
      | as suggested |
      | ours         |

  @R1
  Scenario Outline: R1, ten callers of an engine cache, <version>
    Given an engine cache, <version>
    When ten callers ask for the engine
    Then nobody gets an error
    And everybody holds the same engine
    And one engine was made

    @tdd_issue @tdd_issue_3950 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_3950
    Examples: kept
      | version      |
      | as suggested |
      | ours         |

  @shared
  Scenario: a service is closed, and another on its database goes on
    Given two plan services on one in-memory database
    When one caller closes the plan service while another makes a plan and then lists the plans
    Then nobody gets an error
