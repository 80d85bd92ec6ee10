Feature: Several instances of the plan service on one database

  Every instance of the plan service remembers the plans it has seen. What comes
  of that when several instances share a database, report #7424 tells. One goes on
  reading a plan as it was before another moved it on. And two that have both seen
  an executed plan both apply it.

  The suggested fix makes every read of a plan go to the database. But the
  decision to write is still made on what was read before.

  Scenario Outline: R6, a read of what another instance has moved on, <version>
    Given a queued plan in a database that two instances of the service share, <version>
    When one instance moves the plan on while the other reads it, in many orders
    Then a read after the move was committed sees the plan where it was moved to

    @tdd_issue @tdd_issue_7424 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7424
    Examples: kept
      | version      |
      | as suggested |
      | ours         |

  Scenario Outline: R7, a plan applied by two instances, <version>
    Given an executed plan in a database that two instances of the service share, <version>
    When both instances apply the plan, in many orders
    Then exactly one applies it, and the other is told what state it lost to

    @tdd_issue @tdd_issue_7424 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7424
    Examples: kept
      | version |
      | ours    |
