Feature: Several instances of the plan service on one database

  Every instance of the plan service remembers the plans it has seen. What comes
  of that when several instances share a database, report #7424 tells. One goes on
  reading a plan as it was before another moved it on. And two that have both seen
  an executed plan both apply it.

  The suggested fix makes every read of a plan go to the database. But the
  decision to write is still made on what was read before.

  @R6
  Scenario Outline: R6, a read of what another instance has moved on, <version>
    Given two instances of the plan service on one SQLite file, <version>
    And a plan at strategize/queued
    When one instance starts the plan
    And another reads the plan
    And after that the second instance reads the plan
    Then every read after that sees the plan at strategize/processing

    @tdd_issue @tdd_issue_7424 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7424
    Examples: kept
      | version      |
      | as suggested |
      | ours         |

  @R7
  Scenario Outline: R7, a plan applied by two instances, <version>
    Given two instances of the plan service on one SQLite file, <version>
    And a plan at execute/complete
    And every instance has read the plan
    When both instances apply the plan
    Then it is applied once
    And exactly one succeeds
    And the other is told what state it lost to

    @tdd_issue @tdd_issue_7424 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7424
    Examples: kept
      | version |
      | ours    |

  # Under the suggested fix a get reads the database, and a listing still shows what
  # the instance remembers.
  @listing @R6
  Scenario Outline: R6 of a listing, of what another instance has moved on, <version>
    Given two instances of the plan service on one SQLite file, <version>
    And a plan at strategize/queued
    When one instance starts the plan
    And another lists the plans
    And after that the second instance lists the plans
    Then every read after that sees the plan at strategize/processing

    @tdd_issue @tdd_issue_7424 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7424
    Examples: kept
      | version |
      | ours    |

  @R6
  Scenario: an action after another instance has archived it
    Given two instances of the plan service on one SQLite file
    And an action "local/review"
    When one instance archives the action "local/review"
    And another reads the action "local/review" and then lists the actions
    And after that the second instance reads the action "local/review" and then lists the actions
    Then every read after that finds the action archived

  @R2
  Scenario: two creators, and a third who lists
    Given three instances of the plan service on one SQLite file
    When two creators create the action "local/weave" and a third lists the actions
    Then exactly one succeeds
    And the other is told that the action already exists
    And the action is the winner's

  @uses
  Scenario: the uses of an action by several instances
    Given two instances of the plan service on one SQLite file
    When both instances make a plan
    Then nobody gets an error
    And the action was used two times
    And two more plans are there

  Scenario: three instances apply a plan and one of them is killed
    Given a plan at execute/complete
    When three instances apply it and one of them is killed
    Then it is applied once

  Scenario: plans are made one after the other
    Given two instances of the plan service on one SQLite file
    When two instances make a plan, one after the other
    Then two more plans are there
